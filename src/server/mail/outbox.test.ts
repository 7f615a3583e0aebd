import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Connection } from '#server/platform/postgres/db.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { deliverDueMail, smtpTransport } from './delivery.service.ts';
import { forgetMailTo, queueMail, type Mail } from './outbox.service.ts';
import { aMailServer, type TestMailServer } from '#test/mail/mail-server.ts';

let database: TestDatabase;
let connection: Connection;
let server: TestMailServer;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.url);
  server = await aMailServer();
});
afterAll(async () => {
  await server.close();
  await connection.close();
  await database.drop();
});

const never = new AbortController().signal;
const deliver = (): Promise<number> =>
  deliverDueMail(
    {
      db: connection.db,
      transport: smtpTransport(server.url, 'no-reply@books.example'),
      publicUrl: 'https://books.example',
      shopTimeZone: 'UTC',
    },
    { closing: never, cutOff: never },
    () => {},
  );

const aMail = (more: Partial<Pick<Mail, 'to' | 'key'>> & { title?: string } = {}): Mail => ({
  kind: 'sold',
  key: more.key ?? `sold:${randomUUID()}`,
  to: more.to ?? { email: 'ada@example.com', name: 'Ada Reader' },
  data: { title: more.title ?? 'Middlemarch', priceCents: 750, buyerName: 'Bo Buyer' },
});

const queue = (mail: Mail): Promise<void> => connection.db.transaction().execute((trx) => queueMail(trx, mail));
const rows = (key: string) => connection.db.selectFrom('outbox').selectAll().where('key', '=', key).execute();

describe('a queued mail', () => {
  test('is there if its event is, and not if it is not', async () => {
    const mail = aMail();
    const failing = connection.db.transaction().execute(async (trx) => {
      await queueMail(trx, mail);
      throw new Error('thought better of it');
    });
    await expect(failing).rejects.toThrow('thought better of it');
    expect(await rows(mail.key)).toEqual([]);
    await queue(mail);
    expect(await rows(mail.key)).toHaveLength(1);
  });

  // Planted hole, seen failing here: an insert without ON CONFLICT.
  test('of one event to one person is one, however often and however many at once say so', async () => {
    const mail = aMail({ to: { email: 'once@example.com', name: 'Ada Reader' } });
    await Promise.all(Array.from({ length: 20 }, () => queue(mail)));
    await queue({ ...mail, to: { email: 'else@example.com', name: 'Somebody Else' } });
    expect(await rows(mail.key)).toMatchObject([{ to_email: 'once@example.com', attempts: 0 }]);
    await deliver();
    await queue(mail);
    await deliver();
    const recipients = server.arrived.flatMap((arrived) => arrived.recipients);
    expect(recipients.filter((address) => /^(once|else)@/.test(address))).toEqual(['once@example.com']);
  });

  // Planted hole, seen failing here: `to` joined by hand (`${name} <${address}>`) in transport.ts.
  test('carries no header and no recipient that a name or a title smuggled in', async () => {
    const evil = 'x <eve@example.net>, y\r\nBcc: eve@example.net\r\nX-Evil: yes\r\n\r\nhello\u2028Bcc: eve@example.net';
    const mail = aMail({ to: { email: 'bo@example.com', name: evil }, title: evil });
    await queue(mail);
    await deliver();
    const [arrived, ...more] = server.arrived.filter(({ recipients }) => recipients.includes('bo@example.com'));
    expect(more).toEqual([]);
    expect(arrived?.recipients).toEqual(['bo@example.com']);
    const head = arrived?.raw.split('\r\n\r\n', 1)[0] ?? '';
    expect(head.match(/^[A-Za-z-]+(?=:)/gm)?.toSorted()).toEqual([
      'Auto-Submitted',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
    ]);
    expect(arrived?.subject).toContain('Sold: x <eve@example.net>, y Bcc: eve@example.net');
    expect(server.arrived.some(({ recipients }) => recipients.includes('eve@example.net'))).toBe(false);
  });

  test('to somebody who leaves is neither sent nor remembered', async () => {
    const [sent, waiting] = [1, 2].map(() => aMail({ to: { email: 'Leaving@example.com', name: 'Lea Ving' } }));
    const staying = aMail({ to: { email: 'staying@example.com', name: 'Stu Staying' } });
    if (sent === undefined || waiting === undefined) throw new Error('no mail');
    await queue(sent);
    await deliver();
    await queue(waiting);
    await queue(staying);
    await connection.db.transaction().execute((trx) => forgetMailTo(trx, 'leaving@example.com'));
    await deliver();
    const recipients = server.arrived.flatMap((arrived) => arrived.recipients);
    expect(recipients.filter((address) => /^(leaving|staying)@/i.test(address))).toEqual([
      'Leaving@example.com',
      'staying@example.com',
    ]);
    for (const mail of [sent, waiting])
      expect(await rows(mail.key)).toMatchObject([{ to_email: '', to_name: '', data: {} }]);
  });

  test.each([
    'ada@example.com\r\nBcc: eve@example.net',
    'ada@example.com, eve@example.net',
    'Eve <eve@example.net>',
    'ada@example.com eve@example.net',
    'ada@example.com\0',
    'nobody',
    '',
  ])('is never for %j', async (email) => {
    const mail = aMail({ to: { email, name: 'Ada' } });
    await expect(queue(mail)).rejects.toThrow('has no address to go to');
    expect(await rows(mail.key)).toEqual([]);
  });
});
