import { row, type Row, type Sent } from './row.ts';

const TOKEN = '0'.repeat(64);
const byLink = (): Sent => ({ body: { token: TOKEN, notMailed: [] } });

/** The bell and what is mailed: everybody's own, and by a link of a mail, which here is nobody's. */
export const NOTICE_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('GET /api/notices', /*                     */ [401, 200, 200, 200, 200]),
  row('GET /api/notices/unread', /*              */ [401, 200, 200, 200, 200]),
  row('PUT /api/notices/read', /*                */ [401, 200, 200, 200, 200], {
    send: () => ({ body: { upTo: '1' } }),
  }),
  row('GET /api/mail-choices', /*                */ [401, 200, 200, 200, 200]),
  row('PUT /api/mail-choices', /*                */ [401, 200, 200, 200, 200], {
    send: () => ({ body: { notMailed: [] } }),
  }),
  row('POST /api/mail-choices/by-link', /*       */ [404, 404, 404, 404, 404], { send: byLink }),
  row('PUT /api/mail-choices/by-link', /*        */ [404, 404, 404, 404, 404], { send: byLink }),
  row('POST /api/unsubscribe/:token/:topic', /*  */ [404, 404, 404, 404, 404], {
    send: () => ({ params: { token: TOKEN, topic: 'messages' } }),
  }),
];
