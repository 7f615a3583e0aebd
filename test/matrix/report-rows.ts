import { randomUUID } from 'node:crypto';
import { row, type Row, type Sent } from './row.ts';

const noCase = (body?: Record<string, unknown>) => (): Sent => ({
  params: { id: randomUUID() },
  ...(body && { body }),
});

/** What is reported by anybody and decided by admins, and what was decided about oneself; here are no cases. */
export const REPORT_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  // Nobody reports their own.
  row('POST /api/reports', /*                    */ [201, 201, 400, 201, 201], {
    send: ({ scene }) => ({ body: { kind: 'copy', id: scene.copy._id, reason: 'untrue', words: '' } }),
  }),
  row('GET /api/reports/cases', /*               */ [401, 403, 403, 200, 403], {
    send: () => ({ query: { state: 'open' } }),
  }),
  row('GET /api/reports/decisions.csv', /*       */ [401, 403, 403, 200, 403], {
    send: () => ({ query: { year: '2026' } }),
  }),
  row('POST /api/reports/cases/:id/decision', /* */ [401, 403, 403, 404, 403], {
    send: noCase({ action: 'warn', reason: 'It is another book' }),
  }),
  row('DELETE /api/reports/cases/:id/decision', /* */ [401, 403, 403, 404, 403], { send: noCase() }),
  row('POST /api/reports/cases/:id/appeal', /*   */ [401, 403, 403, 404, 403], {
    send: noCase({ isUpheld: true, reason: 'It stays' }),
  }),
  row('GET /api/account/decisions', /*           */ [401, 200, 200, 200, 200]),
  row('POST /api/account/decisions/:id/appeal', /* */ [401, 404, 404, 404, 404], {
    send: noCase({ words: 'A mistake' }),
  }),
];
