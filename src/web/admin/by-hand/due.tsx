import { useState } from 'react';
import { useNavigate } from 'react-router';
import { countryName } from '#contract/delivery/countries.ts';
import { makeBatch, type DueByHand, type readByHand } from '#contract/money/by-hand.ts';
import type { Answer } from '#contract/endpoint.ts';
import { formatDollars } from '#contract/money/money.ts';
import { inSentence } from '#contract/text.ts';
import { call } from '#web/api/call.ts';
import { Section } from '#web/admin/money-parts.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { Button } from '#web/ui/button.tsx';
import { WarningIcon } from '#web/ui/icons.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { sumOf } from './sums.ts';

type State = Answer<typeof readByHand>;

/** Why a seller cannot be put into a batch. */
const Why = ({ due: { state, pausedUntil }, minimum }: { due: DueByHand; minimum: number }) => {
  switch (state) {
    case 'no-details':
      return 'No bank details entered yet; a mail asks for them.';
    case 'paused':
      return pausedUntil === null ? (
        'Bank details were changed a moment ago.'
      ) : (
        <>
          Bank details were changed: pauses until <Time at={pausedUntil} as="moment" />.
        </>
      );
    case 'locked':
      return 'The bank sent a payout back: bank details have to be entered anew.';
    case 'below-minimum':
      return `Less than the minimum of ${formatDollars(minimum)}.`;
    case 'unidentified':
      return 'We do not know who they are yet: the money waits.';
    case 'suspended':
      return 'Suspended: the money waits.';
    default:
      return null;
  }
};

const Warnings = ({ due: { sameAccountAs, secondAdmin } }: { due: DueByHand }) => (
  <>
    {sameAccountAs.length > 0 && (
      <p className="mt-1 flex gap-2 text-sm">
        <WarningIcon className="mt-0.5 size-4 shrink-0 text-warning" />
        <span className="wrap-anywhere">The same account as {inSentence([...sameAccountAs])}: look who they are.</span>
      </p>
    )}
    {secondAdmin !== null && (
      <p className="mt-1 text-sm wrap-anywhere text-muted">
        Needs a second admin: {secondAdmin.charAt(0).toLowerCase() + secondAdmin.slice(1)}.
      </p>
    )}
  </>
);

const Person = ({ due }: { due: DueByHand }) => (
  <>
    <span dir="auto" className="block font-semibold wrap-anywhere">
      {due.name}
    </span>
    <span className="block text-sm wrap-anywhere text-muted">{due.email}</span>
    {due.shown !== null && (
      <span className="block text-sm text-muted">
        <span className="whitespace-nowrap">
          {due.kind === 'iban' ? 'IBAN' : 'Account'} {due.shown}
        </span>
        {due.country !== null && `, ${countryName(due.country)}`}
      </span>
    )}
  </>
);

const Amount = ({ dollars }: { dollars: number }) => (
  <span className="ms-auto font-semibold whitespace-nowrap tabular-nums">{formatDollars(dollars)}</span>
);

const ReadyItem = ({ due, isChosen, onChange }: { due: DueByHand; isChosen: boolean; onChange: () => void }) => (
  <li className="px-4 py-3">
    <label className="flex min-h-11 cursor-pointer items-start gap-3">
      <input type="checkbox" checked={isChosen} onChange={onChange} className="mt-1 size-5 shrink-0 accent-primary" />
      <span className="min-w-0">
        <Person due={due} />
      </span>
      <Amount dollars={due.amount} />
    </label>
    <div className="ps-8">
      <Warnings due={due} />
    </div>
  </li>
);

const WaitingItem = ({ due, minimum }: { due: DueByHand; minimum: number }) => (
  <li className="flex items-start gap-3 px-4 py-3">
    <div className="min-w-0">
      <Person due={due} />
      <p className="mt-1 text-sm">
        <Why due={due} minimum={minimum} />
      </p>
      <Warnings due={due} />
    </div>
    <Amount dollars={due.amount} />
  </li>
);

const LIST = 'divide-y divide-base-300 rounded-box border border-base-300 bg-base-100';

const sellersText = (count: number): string => (count === 1 ? '1 seller' : `${count} sellers`);

/** Chooses who is paid with the next batch: all who can be, unless some are taken out. */
const Ready = ({ ready }: { ready: readonly DueByHand[] }) => {
  const navigate = useNavigate();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<readonly DueByHand[]>();
  const chosen = ready.filter(({ sellerId }) => !left.has(sellerId));
  const total = formatDollars(sumOf(chosen));
  const toggle = (id: string): void => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  const make = async (sellers: readonly DueByHand[]): Promise<void> => {
    const body = { sellerIds: sellers.map(({ sellerId }) => sellerId) };
    const { id, needsApproval } = await call(makeBatch, { body });
    toast('Batch made', {
      text: needsApproval ? 'Another admin has to approve it.' : 'Download its file for the bank.',
    });
    await navigate(`/dashboard/money/by-hand/${id}`);
  };
  return (
    <>
      <ul aria-label="Ready to be paid" className={LIST}>
        {ready.map((due) => (
          <ReadyItem
            key={due.sellerId}
            due={due}
            isChosen={!left.has(due.sellerId)}
            onChange={() => toggle(due.sellerId)}
          />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={chosen.length === 0} onClick={() => setAsked(chosen)}>
          Make a batch of {total}
        </Button>
        <p role="status" className="text-sm text-muted">
          {chosen.length === 0 ? 'Nobody is chosen.' : `${sellersText(chosen.length)} chosen.`}
        </p>
      </div>
      <Confirmed
        of={asked}
        title={`Pay ${total} to ${sellersText(chosen.length)}?`}
        confirmLabel="Make the batch"
        look="primary"
        act={make}
        onClose={() => setAsked(undefined)}
      >
        <p>
          From now on the money counts as on its way, with the bank details as they are. It leaves when you upload the
          file of the batch at your bank.
        </p>
      </Confirmed>
    </>
  );
};

/** What sellers are due, who can be paid, and why others cannot. */
export const Due = ({ state: { due, minimum, sums } }: { state: State }) => {
  const ready = due.filter(({ state }) => state === 'ready');
  const waiting = due.filter(({ state }) => state !== 'ready');
  return (
    <Section id="due" title="Due to sellers">
      <p className="mb-3 text-muted">
        {formatDollars(sums.ready)} can be paid, {formatDollars(sums.waiting)} waits, {formatDollars(sums.onItsWay)} is
        on its way.
      </p>
      {ready.length === 0 ? (
        <p>Nobody can be paid right now.</p>
      ) : (
        <Ready key={ready.map(({ sellerId }) => sellerId).join()} ready={ready} />
      )}
      {waiting.length > 0 && (
        <>
          <h3 className="mt-6 mb-2 font-semibold">Not payable yet</h3>
          <ul aria-label="Not payable yet" className={LIST}>
            {waiting.map((one) => (
              <WaitingItem key={one.sellerId} due={one} minimum={minimum} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
};
