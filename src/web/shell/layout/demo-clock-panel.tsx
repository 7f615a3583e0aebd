import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { ShopClock } from '#contract/demo.ts';
import { messageOf } from '#web/api/api-error.ts';
import { advanceClock, askForClock } from '#web/api/demo.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';

const STEPS = [1, 3, 14] as const;
const DAY_HOURS = 24;
/** Within it the shop has looked for what is due by the clock that was moved. */
const SWEPT_AFTER_MS = 2_500;

/** The shop's time once it is asked for, and how to move it; what is on the page follows. */
const useClock = () => {
  const [clock, setClock] = useState<ShopClock>();
  const [busy, setBusy] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const [moves, setMoves] = useState(0);
  const { revalidate } = useRevalidator();
  const take = async (asked: Promise<ShopClock>): Promise<void> => {
    try {
      setClock(await asked);
      setFailure(undefined);
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  useEffect(() => {
    if (moves === 0) return undefined;
    const timer = setTimeout(() => void revalidate(), SWEPT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [moves, revalidate]);
  const move = async (days: number): Promise<void> => {
    setBusy(days);
    await take(advanceClock(days * DAY_HOURS));
    setBusy(undefined);
    setMoves((count) => count + 1);
    await revalidate();
  };
  return { clock, busy, failure, ask: () => take(askForClock()), move };
};

/** The time in the shop, and buttons that move it. */
export const DemoClockPanel = () => {
  const headingId = useId();
  const { clock, busy, failure, ask, move } = useClock();
  const begin = useEffectEvent(() => void ask());
  useEffect(() => begin(), []);
  return (
    <div className="flex flex-col gap-3 pt-1 pb-4">
      <p role="status" className="min-h-5 text-muted">
        {clock !== undefined && (
          <>
            It is <Time at={clock.now} as="moment" /> in the shop.
          </>
        )}
        {failure !== undefined && <span className="text-error"> {failure}</span>}
      </p>
      <div role="group" aria-labelledby={headingId} className="flex flex-wrap items-center gap-2">
        <span id={headingId} className="w-full font-medium sm:w-auto sm:pr-2">
          Move the shop’s clock
        </span>
        {STEPS.map((days) => (
          <Button
            key={days}
            look="secondary"
            busy={busy === days}
            disabled={busy !== undefined && busy !== days}
            onClick={() => void move(days)}
          >
            +{days} {days === 1 ? 'day' : 'days'}
          </Button>
        ))}
      </div>
      <p className="max-w-prose text-muted">
        Reservations and other deadlines go by it, and it never goes back. You stay signed in.
      </p>
    </div>
  );
};
