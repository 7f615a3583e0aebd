export { listPaymentsToExport } from './payment-export.queries.ts';
