// The mail job as a process of its own, for tests that end it between two steps: node test/mail/mail-worker.ts
// DATABASE_URL SMTP_URL
import { connect } from '#server/platform/postgres/db.ts';
import { repeat } from '#server/platform/repeat.ts';
import { deliverDueMail, smtpTransport } from '#server/mail/delivery.service.ts';

const [databaseUrl = '', smtpUrl = ''] = process.argv.slice(2);
const { db } = connect(databaseUrl, { connections: 2 });
const transport = smtpTransport(smtpUrl, 'no-reply@books.example');
const deps = { db, transport, publicUrl: 'https://books.example', shopTimeZone: 'UTC' };
const never = new AbortController().signal;
const deliver = () => deliverDueMail(deps, { closing: never, cutOff: never }, () => {});
repeat(deliver, 1_000, () => {});
