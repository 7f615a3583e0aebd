export { forgetPayee, listPayoutRows, payoutAccountToExport } from './payouts/payout-rows.queries.ts';
export { deleteCards, listCards as listCardsToExport, listSameCard } from './settlement/cards.queries.ts';
export { listCheckoutsToExport, listPaymentsToExport } from './payment-export.queries.ts';
