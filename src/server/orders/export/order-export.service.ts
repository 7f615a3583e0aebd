export { listOrdersToExport } from './order-export.queries.ts';
