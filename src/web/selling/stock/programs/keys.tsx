import { useId, useState } from 'react';
import { makeApiKey, revokeApiKey, SCOPES, type ApiKey, type Scope } from '#contract/users/api-keys.ts';
import { isVisible } from '#contract/text.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { useForm } from '#web/shell/forms/use-form.ts';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { ShownOnce } from './shown-once.tsx';

const WORDS: Record<Scope, readonly [name: string, about: string]> = {
  'stock:read': ['Look at the stock', 'All copies, stock files and exports.'],
  'stock:write': ['Change the stock', 'Bring files, list, edit, pause, take out, sold elsewhere.'],
  'orders:read': ['Look at sales', 'What was sold and where each stands; never who bought it.'],
};

const NO_NAME = 'Say which program it is for';
const NO_SCOPE = 'Choose what it may do';

const MakeKey = ({ onMade }: { onMade: () => Promise<void> }) => {
  const [made, setMade] = useState<string>();
  const form = useForm({
    names: ['name', ...SCOPES],
    check: (values) => ({
      ...(isVisible(values.name) ? {} : { name: NO_NAME }),
      ...(SCOPES.some((scope) => values[scope] !== '') ? {} : { [SCOPES[0]]: NO_SCOPE }),
    }),
    send: async (values) => {
      const body = { name: values.name, scopes: SCOPES.filter((scope) => values[scope] !== '') };
      setMade((await withFreshSignIn(() => call(makeApiKey, { body }))).key);
      await onMade();
    },
  });
  if (made !== undefined) return <ShownOnce label="Your key" secret={made} onDone={() => setMade(undefined)} />;
  return (
    <form {...form.props} className="mt-4 flex max-w-lg flex-col gap-3">
      <Field label="Which program is it for?" maxLength={60} {...form.field('name')} />
      <fieldset>
        <legend className="text-sm font-semibold">What it may do</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={WORDS[scope][0]}
            hint={WORDS[scope][1]}
            defaultChecked={scope === SCOPES[0]}
            {...form.field(scope)}
          />
        ))}
      </fieldset>
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div>
        <Button {...form.button}>Make a key</Button>
      </div>
    </form>
  );
};

/** The keys of programs: made, shown once, revoked. */
export const Keys = ({ keys, onChanged }: { keys: readonly ApiKey[]; onChanged: () => Promise<void> }) => {
  const headingId = useId();
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <section aria-labelledby={headingId} className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <h2 id={headingId} className="font-serif text-xl font-semibold">
        Keys
      </h2>
      {keys.length > 0 && (
        <ul className="mt-2 divide-y divide-base-300">
          {keys.map((key) => (
            <li key={key._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="font-semibold wrap-anywhere">
                  {key.name} <span className="font-mono text-sm font-normal text-muted">{key.begins}…</span>
                </p>
                <p className="text-sm text-muted">
                  {key.scopes.map((scope) => WORDS[scope][0]).join(', ')} ·{' '}
                  {key.lastUsedAt === null ? (
                    'Never used'
                  ) : (
                    <>
                      Last used <Time as="moment" at={key.lastUsedAt} />
                    </>
                  )}
                </p>
              </div>
              <Button look="quiet-danger" size="sm" onClick={() => setRevoking(key)}>
                Revoke<span className="sr-only"> {key.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <MakeKey onMade={onChanged} />
      <Confirmed
        of={revoking}
        title="Revoke this key?"
        confirmLabel="Revoke"
        act={async ({ _id }) => {
          await call(revokeApiKey, { params: { id: _id } });
          await onChanged();
        }}
        onClose={() => setRevoking(undefined)}
      >
        <p>
          <em>{revoking?.name}</em> is shut out at once. A new key has to be given to it.
        </p>
      </Confirmed>
    </section>
  );
};
