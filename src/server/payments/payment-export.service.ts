export { forgetPayee, listPayoutRows, payoutAccountToExport } from './payouts/payout-rows.queries.ts';
export { listCheckoutsToExport, listPaymentsToExport } from './payment-export.queries.ts';
