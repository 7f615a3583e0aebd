import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { countryName } from '#contract/delivery/countries.ts';
import { markReturned, strikeOff, type HandPayout } from '#contract/money/by-hand.ts';
import { formatDollars } from '#contract/money/money.ts';
import { formatDate } from '#contract/time.ts';
import { call } from '#web/api/call.ts';
import { Section } from '#web/admin/money-parts.tsx';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { PaidDialog } from './paid-dialog.tsx';

const LOOKS: Readonly<Record<HandPayout['state'], readonly [words: string, look: string]>> = {
  asked: ['On its way', 'border-warning/50 text-warning'],
  sent: ['Paid', 'border-success/50 text-success'],
  refused: ['Struck off', 'border-base-300 text-muted'],
  returned: ['Sent back', 'border-error/50 text-error'],
};

type Act = 'paid' | 'struck-off' | 'returned';

const noteOf = ({ state, settledOn, reference, reason }: HandPayout): string => {
  // A day of the bank's, not an instant: the same in every zone.
  const day = settledOn === null ? '' : formatDate(`${settledOn}T12:00:00Z`, 'UTC');
  const paid = [day, reference ?? ''].filter((text) => text !== '').join(', ');
  return [state === 'asked' ? '' : paid, reason ?? ''].filter((text) => text !== '').join(' · ');
};

const actsOf = ({ state }: HandPayout, mayBePaid: boolean): readonly (readonly [Act, string])[] => {
  if (state === 'sent') return [['returned', 'Sent back']];
  if (state !== 'asked') return [];
  return [...(mayBePaid ? [['paid', 'Mark paid'] as const] : []), ['struck-off', 'Strike off']];
};

const Item = ({ payout, mayBePaid, onAsk }: { payout: HandPayout; mayBePaid: boolean; onAsk: (act: Act) => void }) => {
  const [words, look] = LOOKS[payout.state];
  const note = noteOf(payout);
  const acts = actsOf(payout, mayBePaid);
  const item = useKeptFocus<HTMLLIElement>(payout.state);
  return (
    <li ref={item} tabIndex={-1} className="flex flex-col gap-2 px-4 py-3 lg:flex-row lg:items-center lg:gap-6">
      <div className="flex min-w-0 flex-1 items-start gap-4">
        <div className="min-w-0">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {payout.holder}
          </p>
          <p className="text-sm wrap-anywhere text-muted">
            {payout.name !== payout.holder && `${payout.name} · `}
            {payout.shown}, {countryName(payout.country)}
          </p>
        </div>
        <span className="ms-auto flex flex-col items-end gap-1">
          <span className="font-semibold whitespace-nowrap tabular-nums">{formatDollars(payout.amount)}</span>
          <span className={classes('badge bg-transparent whitespace-nowrap', look)}>{words}</span>
        </span>
      </div>
      {(note !== '' || acts.length > 0) && (
        <div className="flex flex-wrap items-center gap-2 lg:w-72 lg:justify-end">
          {note !== '' && <p className="w-full text-sm wrap-anywhere text-muted lg:text-end">{note}</p>}
          {acts.map(([act, label]) => (
            <Button key={act} look={act === 'paid' ? 'secondary' : 'quiet'} size="sm" onClick={() => onAsk(act)}>
              {label}
              <span className="sr-only">: {payout.name}</span>
            </Button>
          ))}
        </div>
      )}
    </li>
  );
};

/** The payouts of a batch. */
export const Payouts = ({ payouts, mayBePaid }: { payouts: readonly HandPayout[]; mayBePaid: boolean }) => {
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState<{ payout: HandPayout; act: Act }>();
  const of = (act: Act): HandPayout | undefined => (asked?.act === act ? asked.payout : undefined);
  const close = (): void => setAsked(undefined);
  const strike = async ({ id, name, amount }: HandPayout, reason: string): Promise<void> => {
    await call(strikeOff, { params: { id }, body: { reason } }).finally(() => void revalidate());
    toast('Struck off', { text: `${formatDollars(amount)} is due to ${name} as before.` });
  };
  const takeBack = async ({ id, name, amount }: HandPayout, reason: string): Promise<void> => {
    await call(markReturned, { params: { id }, body: { reason } }).finally(() => void revalidate());
    toast('Noted', { text: `${formatDollars(amount)} is due to ${name} again.` });
  };
  const amount = formatDollars(asked?.payout.amount ?? 0);
  return (
    <Section id="payouts" title="Payouts">
      <ul className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
        {payouts.map((payout) => (
          <Item key={payout.id} payout={payout} mayBePaid={mayBePaid} onAsk={(act) => setAsked({ payout, act })} />
        ))}
      </ul>
      <PaidDialog of={of('paid')} onClose={close} />
      <Reasoned
        of={of('struck-off')}
        title={`Strike ${amount} off?`}
        confirmLabel="Strike off"
        hint="Kept in the audit."
        act={strike}
        onClose={close}
      >
        <p>
          {asked?.payout.name} is due the money as before. Only where the bank has not paid it, and will not
          {asked?.payout.inFile === true
            ? ': it is in the file that was downloaded, so tell the bank to leave it out.'
            : '. It is left out of the file.'}
        </p>
      </Reasoned>
      <Reasoned
        of={of('returned')}
        title={`Did ${amount} come back?`}
        confirmLabel="It came back"
        hint="As the bank says it: mailed to the seller and kept in the audit."
        act={takeBack}
        onClose={close}
      >
        <p>
          The money is on the shop’s bank account again and due to {asked?.payout.name}, who has to enter their bank
          details anew.
        </p>
      </Reasoned>
    </Section>
  );
};
