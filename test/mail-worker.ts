// The mail worker as a process of its own, for tests that end it between two steps: node test/mail-worker.ts DATABASE_URL SMTP_URL
import { connect } from '#server/platform/postgres/db.ts';
import { smtpTransport } from '#server/mail/delivery.service.ts';
import { startMailWorker } from '#server/mail/worker.service.ts';

const [databaseUrl = '', smtpUrl = ''] = process.argv.slice(2);
const { db } = connect(databaseUrl, { connections: 2 });
startMailWorker(
  {
    db,
    transport: smtpTransport(smtpUrl, 'no-reply@books.example'),
    publicUrl: 'https://books.example',
    shopTimeZone: 'UTC',
  },
  { onDead: () => {}, onError: () => {} },
);
