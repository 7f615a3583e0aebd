import { dollarsOf, formatDollars } from '#contract/money/money.ts';

/** Why a second admin has to look at a payout; null where none has to. */
export const secondAdminFor = (
  payout: { readonly cents: number; readonly isChanged: boolean },
  twoAdminsCents: number,
): string | null => {
  if (payout.cents > twoAdminsCents) return `More than ${formatDollars(dollarsOf(twoAdminsCents))}`;
  return payout.isChanged ? 'The first payout to changed bank details' : null;
};

/** The same for a batch: its sum counts, so that nothing is split into parts that one admin may make. */
export const secondAdminForBatch = (
  payouts: readonly { readonly cents: number; readonly isChanged: boolean }[],
  twoAdminsCents: number,
): string | null => {
  const sumCents = payouts.reduce((sum, { cents }) => sum + cents, 0);
  const whole = secondAdminFor({ cents: sumCents, isChanged: false }, twoAdminsCents);
  return whole ?? payouts.map((payout) => secondAdminFor(payout, twoAdminsCents)).find((why) => why !== null) ?? null;
};
