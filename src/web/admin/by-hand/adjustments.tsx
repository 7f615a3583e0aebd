import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  approveAdjustment,
  declineAdjustment,
  type Adjustment,
  type AdjustmentAccount,
} from '#contract/money/adjustments.ts';
import type { DueByHand } from '#contract/money/by-hand.ts';
import { formatDollars } from '#contract/money/money.ts';
import { call } from '#web/api/call.ts';
import { Section } from '#web/admin/money-parts.tsx';
import { RowAction } from '#web/admin/row-action.tsx';
import { Time } from '#web/shell/data/time.tsx';
import type { More } from '#web/shell/data/use-more.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { AdjustmentDialog } from './adjustment-dialog.tsx';

const LOOKS: Readonly<Record<Adjustment['state'], readonly [words: string, look: string]>> = {
  asked: ['Asked for', 'border-warning/50 text-warning'],
  booked: ['Booked', 'border-success/50 text-success'],
  declined: ['Declined', 'border-base-300 text-muted'],
};

export const ACCOUNTS: Readonly<Record<AdjustmentAccount, string>> = {
  'refund-costs': 'What refunds cost the shop',
  commission: 'What the shop earned',
};

const amountWords = ({ amount }: Adjustment): string =>
  amount > 0 ? `${formatDollars(amount)} more` : `${formatDollars(-amount)} less`;

const Item = ({ adjustment }: { adjustment: Adjustment }) => {
  const { revalidate } = useRevalidator();
  const { id, name, account, reason, askedBy, askedAt, state, decidedBy, mine } = adjustment;
  const [words, look] = LOOKS[state];
  const item = useKeptFocus<HTMLLIElement>(state);
  const approve = async (): Promise<void> => {
    await call(approveAdjustment, { params: { id } }).finally(() => void revalidate());
    toast('Booked', { text: `${name} is due ${amountWords(adjustment)}.` });
  };
  const decline = async (): Promise<void> => {
    await call(declineAdjustment, { params: { id } }).finally(() => void revalidate());
    toast('Declined', { text: 'Nothing was booked.' });
  };
  return (
    <li ref={item} tabIndex={-1} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start gap-4">
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">
            <span dir="auto">{name}</span>: {amountWords(adjustment)}
          </p>
          <p dir="auto" className="wrap-anywhere">
            {reason}
          </p>
          <p className="text-sm wrap-anywhere text-muted">
            {ACCOUNTS[account]} · asked for by {askedBy}, <Time at={askedAt} as="moment" />
            {decidedBy !== null && ` · ${state} by ${decidedBy}`}
          </p>
        </div>
        <span className={classes('badge ms-auto bg-transparent whitespace-nowrap', look)}>{words}</span>
      </div>
      {state === 'asked' && (
        <div className="flex flex-wrap items-start gap-2">
          {mine ? (
            <p className="self-center text-sm text-muted">Another admin has to approve it.</p>
          ) : (
            <RowAction label="Approve" name={name} act={approve} />
          )}
          <RowAction label="Decline" name={name} act={decline} />
        </div>
      )}
    </li>
  );
};

/** Corrections of what sellers are due: one admin asks, another one books or declines. */
export const Adjustments = ({ list, due }: { list: More<Adjustment>; due: readonly DueByHand[] }) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section id="corrections" title="Corrections">
      <p className="mb-3 max-w-prose text-muted">
        Changes what a seller is due without a sale: to make good a mistake, or to write off what a seller who is gone
        owes. A second admin has to approve each, and its seller sees it on their statement.
      </p>
      <Button look="secondary" className="mb-4" onClick={() => setAsking(true)}>
        Ask for a correction
      </Button>
      {list.rows.length === 0 ? (
        <p className="text-muted">None yet.</p>
      ) : (
        <>
          <ul className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
            {list.rows.map((adjustment) => (
              <Item key={adjustment.id} adjustment={adjustment} />
            ))}
          </ul>
          <ListEnd list={list} />
        </>
      )}
      <AdjustmentDialog open={isAsking} due={due} onClose={() => setAsking(false)} />
    </Section>
  );
};
