import { useEffect, useState } from 'react';
import { listDeliveries, resendDelivery, type WebhookDelivery } from '#contract/programs/webhooks.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call, callPage } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice, SkeletonRows } from '#web/ui/states.tsx';

/** While something is on its way it is looked at again. */
const LOOK_MS = 2_000;

const wordsOf = ({ state, attempts, problem }: WebhookDelivery): string => {
  if (state === 'delivered') return attempts > 1 ? `Taken at the ${attempts}. try` : 'Taken';
  if (state === 'given-up') return `Given up. ${problem}`;
  return problem === '' ? 'On its way' : `${problem}. Tried again`;
};

const Delivery = ({ one, onResend }: { one: WebhookDelivery; onResend: () => void }) => (
  <li className="flex flex-wrap items-center justify-between gap-3 py-2">
    <p className="min-w-0 text-sm">
      <span className="font-mono">{one.event}</span>{' '}
      <span className="text-muted">
        <Time as="moment" at={one.at} /> · {wordsOf(one)}
        {one.nextAt !== null && one.problem !== '' && (
          <>
            {' '}
            <Time as="moment" at={one.nextAt} />
          </>
        )}
      </span>
    </p>
    <Button look="secondary" size="sm" onClick={onResend}>
      Send again<span className="sr-only"> {one.event}</span>
    </Button>
  </li>
);

/** What an address was told lately, and what it answered; each can be sent again. */
export const Deliveries = ({ webhookId, tested }: { webhookId: string; tested: number }) => {
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<readonly WebhookDelivery[]>();
  const [next, setNext] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [asked, setAsked] = useState(0);
  const isShown = isOpen || tested > 0;
  const waits = rows?.some(({ state }) => state === 'waiting') === true;
  useEffect(() => {
    if (!isShown) return undefined;
    let isGone = false;
    callPage(listDeliveries, { params: { id: webhookId }, query: {} })
      .then((page) => {
        if (isGone) return;
        setRows(page.rows);
        setNext(page.next);
      })
      .catch((error: unknown) => setFailure(messageOf(error)));
    return () => {
      isGone = true;
    };
  }, [isShown, webhookId, tested, asked]);
  useEffect(() => {
    if (!isShown || !waits) return undefined;
    const timer = setTimeout(() => setAsked((before) => before + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [isShown, waits, asked, rows]);
  const resend = async (deliveryId: string): Promise<void> => {
    setFailure(undefined);
    try {
      await call(resendDelivery, { params: { id: webhookId, deliveryId } });
      setAsked((before) => before + 1);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const more = async (): Promise<void> => {
    const page = await callPage(listDeliveries, { params: { id: webhookId }, query: { cursor: next } });
    setRows([...(rows ?? []), ...page.rows]);
    setNext(page.next);
  };
  return (
    <details className="mt-1" open={isShown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">Deliveries</summary>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      {rows === undefined && isShown && <SkeletonRows rows={2} />}
      {rows?.length === 0 && <p className="text-sm text-muted">Nothing was told yet.</p>}
      <ul className="divide-y divide-base-300">
        {rows?.map((one) => (
          <Delivery key={one._id} one={one} onResend={() => void resend(one._id)} />
        ))}
      </ul>
      {next !== undefined && (
        <Button look="quiet" size="sm" onClick={() => void more()}>
          Show more
        </Button>
      )}
    </details>
  );
};
