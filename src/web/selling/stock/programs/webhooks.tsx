import { useId, useState } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import {
  addWebhook,
  removeWebhook,
  testWebhook,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '#contract/programs/webhooks.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { useForm } from '#web/shell/forms/use-form.ts';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { ShownOnce } from './shown-once.tsx';

const WORDS: Record<WebhookEvent, string> = {
  'order.paid': 'An order was paid',
  'copy.sold': 'A copy was sold, one by one',
  'order.cancelled': 'An order was cancelled',
};

const NO_EVENT = 'Choose what it is told of';

const AddWebhook = ({ onAdded }: { onAdded: () => Promise<void> }) => {
  const [secret, setSecret] = useState<string>();
  const form = useForm({
    names: ['url', ...WEBHOOK_EVENTS],
    check: (values): FieldErrors =>
      WEBHOOK_EVENTS.some((event) => values[event] !== '') ? {} : { [WEBHOOK_EVENTS[0]]: NO_EVENT },
    send: async (values) => {
      const body = { url: values.url, events: WEBHOOK_EVENTS.filter((event) => values[event] !== '') };
      setSecret((await withFreshSignIn(() => call(addWebhook, { body }))).secret);
      await onAdded();
    },
  });
  if (secret !== undefined)
    return <ShownOnce label="The secret that signs" secret={secret} onDone={() => setSecret(undefined)} />;
  return (
    <form {...form.props} className="mt-4 flex max-w-lg flex-col gap-3">
      <Field label="Address of your program" type="url" inputMode="url" placeholder="https://" {...form.field('url')} />
      <fieldset>
        <legend className="text-sm font-semibold">Tell it when</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <CheckField key={event} label={WORDS[event]} defaultChecked {...form.field(event)} />
        ))}
      </fieldset>
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div>
        <Button {...form.button}>Add a webhook</Button>
      </div>
    </form>
  );
};

const One = ({ webhook, onRemove }: { webhook: Webhook; onRemove: () => void }) => {
  const [tested, setTested] = useState(0);
  const [failure, setFailure] = useState<string>();
  const test = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await call(testWebhook, { params: { id: webhook._id } });
      setTested(tested + 1);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{webhook.url}</p>
          <p className="text-sm text-muted">{webhook.events.join(', ')}</p>
        </div>
        <div className="flex gap-2">
          <Button look="secondary" size="sm" onClick={() => void test()}>
            Send a test<span className="sr-only"> to {webhook.url}</span>
          </Button>
          <Button look="quiet-danger" size="sm" onClick={onRemove}>
            Remove<span className="sr-only"> {webhook.url}</span>
          </Button>
        </div>
      </div>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <Deliveries webhookId={webhook._id} tested={tested} />
    </li>
  );
};

/** Where programs are told of what was sold, and what became of that. */
export const Webhooks = ({ webhooks, onChanged }: { webhooks: readonly Webhook[]; onChanged: () => Promise<void> }) => {
  const headingId = useId();
  const [removing, setRemoving] = useState<Webhook>();
  return (
    <section aria-labelledby={headingId} className="mt-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <h2 id={headingId} className="font-serif text-xl font-semibold">
        Webhooks
      </h2>
      <p className="mt-1 max-w-prose text-muted">
        The shop tells your program within seconds, signed as Standard Webhooks says, and tries again for 3 days.
      </p>
      {webhooks.length > 0 && (
        <ul className="mt-2 divide-y divide-base-300">
          {webhooks.map((webhook) => (
            <One key={webhook._id} webhook={webhook} onRemove={() => setRemoving(webhook)} />
          ))}
        </ul>
      )}
      <AddWebhook onAdded={onChanged} />
      <Confirmed
        of={removing}
        title="Tell this address nothing more?"
        confirmLabel="Remove"
        act={async ({ _id }) => {
          await call(removeWebhook, { params: { id: _id } });
          await onChanged();
        }}
        onClose={() => setRemoving(undefined)}
      >
        <p>
          <em className="wrap-anywhere">{removing?.url}</em> and what it was told are forgotten.
        </p>
      </Confirmed>
    </section>
  );
};
