import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { messageOf } from '#web/api/api-error.ts';
import { DeadlineText } from '#web/shell/data/deadline-text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { MoveDialog, MoveForm } from './move-form.tsx';
import { mainMoveOf, moveWords, otherMovesOf, type MoveWords } from './moves.ts';
import { PickupCode } from './pickup-code.tsx';
import { complaintOf, stepOf } from './standing.ts';
import type { Mover } from './use-move.ts';

interface OfOrder {
  order: Order;
  make: Mover['make'];
}

/** The one button of a move that needs nothing and is not asked about. */
const MainButton = ({ move, words, make }: { move: string; words: MoveWords; make: Mover['make'] }) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await make({ move, ...words.sends }, words.done);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <Button busy={busy} className="sm:self-start" onClick={() => void press()}>
        {words.label}
      </Button>
      <p className="text-sm text-muted">{words.says}</p>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
    </div>
  );
};

const MainMove = ({ order, make, onAsk }: OfOrder & { onAsk: (move: string) => void }) => {
  const move = mainMoveOf(order);
  const words = move === undefined ? undefined : moveWords(order, move);
  if (move === undefined || words === undefined) return null;
  if (words.fields.length > 0) return <MoveForm key={move} order={order} move={move} words={words} make={make} />;
  if (!words.asks) return <MainButton key={move} move={move} words={words} make={make} />;
  return (
    <Button className="sm:self-start" onClick={() => onAsk(move)}>
      {words.label}
    </Button>
  );
};

const Times = ({ order }: { order: Order }) => (
  <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
    <dt className="text-sm text-muted sm:pt-0.5">Where</dt>
    <dd dir="auto" className="font-semibold break-words">
      {order.place}
    </dd>
    <dt className="text-sm text-muted sm:pt-0.5">When</dt>
    <dd dir="auto" className="font-semibold break-words">
      {order.times}
    </dd>
  </dl>
);

/** What to do now, by when, the one button for it, and what else can be done. */
export const NextStep = ({ order, make }: OfOrder) => {
  const [asked, setAsked] = useState<string>();
  const step = stepOf(order);
  const complaint = complaintOf(order);
  const others = otherMovesOf(order);
  if (step === '' && others.length === 0) return null;
  const isAsked = mainMoveOf(order) !== undefined;
  const More = step === '' ? 'h2' : 'h3';
  return (
    <section
      aria-labelledby={step === '' ? 'more-moves' : 'next-step'}
      className="flex flex-col gap-5 rounded-box border border-base-300 bg-base-100 p-5 print:hidden"
    >
      {step !== '' && (
        <div className="flex flex-col gap-2">
          <h2 id="next-step" className="font-serif text-xl font-semibold">
            {isAsked ? 'What to do now' : 'What happens now'}
          </h2>
          {order.frozen ? (
            <Notice tone="warning">{step}</Notice>
          ) : (
            <p className="max-w-prose">
              <DeadlineText text={step} at={order.due?.at} />
              {complaint !== '' && (
                <>
                  {' '}
                  <DeadlineText text={complaint} at={order.complainBy ?? undefined} />
                </>
              )}
            </p>
          )}
        </div>
      )}
      {order.state === 'ready' && !order.frozen && order.place !== '' && <Times order={order} />}
      {order.code !== '' && !order.frozen && <PickupCode orderId={order._id} code={order.code} />}
      <MainMove order={order} make={make} onAsk={setAsked} />
      {others.length > 0 && (
        <div
          role="group"
          aria-labelledby="more-moves"
          className="flex flex-col gap-2 border-t border-base-300 pt-4 first:border-0 first:pt-0"
        >
          <More id="more-moves" className="text-sm font-semibold text-muted">
            More
          </More>
          <div className="-mx-2 flex flex-wrap gap-1">
            {others.map((move) => (
              <Button key={move} look="quiet" className="px-3 text-link" onClick={() => setAsked(move)}>
                {moveWords(order, move)?.label}
              </Button>
            ))}
          </div>
        </div>
      )}
      <MoveDialog order={order} move={asked} make={make} onClose={() => setAsked(undefined)} />
    </section>
  );
};
