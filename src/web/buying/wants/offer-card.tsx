import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import { passOffer, takeOffer, type WantOffer } from '#contract/wants/wants.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** A copy that is reserved for the reader, to be taken or passed on. */
export const OfferCard = ({ offer, onChanged }: { offer: WantOffer; onChanged: () => Promise<void> }) => {
  const navigate = useNavigate();
  const [busy, setBusy] = useState<'take' | 'pass'>();
  const [failure, setFailure] = useState<string>();
  const act = async (what: 'take' | 'pass', work: () => Promise<void>): Promise<void> => {
    setBusy(what);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(messageOf(error));
      await onChanged();
    } finally {
      setBusy(undefined);
    }
  };
  const take = () =>
    act('take', async () => {
      const { bookingId } = await call(takeOffer, { params: { id: offer.id } });
      await navigate(`/dashboard/payment/${bookingId}`);
    });
  const pass = () =>
    act('pass', async () => {
      await call(passOffer, { params: { id: offer.id } });
      toast('Passed on', { text: offer.title, tone: 'info' });
      await onChanged();
    });
  const state = offer.grade ?? offer.condition;
  return (
    <div className="mt-3 rounded-box border border-primary/50 bg-primary/5 p-4">
      <div className="flex gap-4">
        <Cover title={offer.title} authors="" imageUrl={offer.image_url} decorative className="w-16 shrink-0" />
        <div className="min-w-0">
          <p className="font-semibold">
            <Link to={`/book/${offer.listingId}`} className="hover:underline">
              {offer.title}
            </Link>
          </p>
          <p>
            <span className="font-semibold tabular-nums">{formatDollars(offer.price)}</span> · {state} ·{' '}
            {offer.location}
          </p>
          <p className="text-sm text-muted">
            Reserved for you until <Time at={offer.until} as="moment" />
          </p>
        </div>
      </div>
      {failure !== undefined && (
        <div className="mt-3">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button busy={busy === 'take'} disabled={busy !== undefined} onClick={() => void take()}>
          Take it<span className="sr-only"> {offer.title}</span>
        </Button>
        <Button look="secondary" busy={busy === 'pass'} disabled={busy !== undefined} onClick={() => void pass()}>
          Not this one<span className="sr-only"> {offer.title}</span>
        </Button>
      </div>
    </div>
  );
};
