export { listCheckoutsToExport, listPaymentsToExport } from './payment-export.queries.ts';
