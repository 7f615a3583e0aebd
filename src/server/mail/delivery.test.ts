import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Connection } from '#server/platform/db.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { deliverDueMail, smtpTransport, tidyOutbox, type DeadMail } from './delivery.service.ts';
import { queueMail, type Mail } from './outbox.service.ts';
import { aMailServer, type TestMailServer } from '#test/mail-server.ts';
import { startMailWorker } from './worker.service.ts';

const long = process.env['DOGEAR_TEST_LONG'] === '1';

let database: TestDatabase;
let connection: Connection;
let server: TestMailServer;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, { connections: 10 });
});
beforeEach(async () => {
  await connection.db.deleteFrom('outbox').execute();
  server = await aMailServer();
});
afterEach(() => server.close());
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const publicUrl = 'https://books.example';
const never = new AbortController().signal;
let dead: DeadMail[] = [];

const deliver = (url = server.url): Promise<number> => {
  dead = [];
  return deliverDueMail(
    { db: connection.db, transport: smtpTransport(url, 'no-reply@books.example'), publicUrl },
    { closing: never, cutOff: never },
    (mail) => dead.push(mail),
  );
};

const aMail = (email = 'ada@example.com'): Mail => ({
  kind: 'sold',
  key: `sold:${randomUUID()}`,
  to: { email, name: 'Ada Reader' },
  data: { title: 'Middlemarch', priceCents: 750, buyerName: 'Bo Buyer' },
});
const aResetMail = (): Mail => ({
  kind: 'reset',
  key: `reset:${randomUUID()}`,
  to: { email: 'ada@example.com', name: 'Ada Reader' },
  data: { resetToken: 'T'.repeat(43) },
});

const queue = async (...mails: Mail[]): Promise<void> => {
  for (const mail of mails) await connection.db.transaction().execute((trx) => queueMail(trx, mail));
};
const rowOf = (mail: Mail) =>
  connection.db
    .selectFrom('outbox')
    .selectAll()
    .select(sql<number>`extract(epoch FROM next_try_at - now())::float8`.as('waitSeconds'))
    .where('key', '=', mail.key)
    .executeTakeFirstOrThrow();
const makeDue = () =>
  connection.db
    .updateTable('outbox')
    .set({ next_try_at: sql`now()`, leased_until: null })
    .execute();

/** A port where nobody listens. */
const aClosedPort = async (): Promise<string> => {
  const gone = await aMailServer();
  await gone.close();
  return gone.url;
};

describe('a mail', () => {
  test('arrives once, at its person only, with a Message-ID of the shop; what it said is then forgotten', async () => {
    const mail = aResetMail();
    await queue(mail);
    expect(await deliver()).toBe(1);
    expect(await deliver()).toBe(0);
    const { message_id: messageId, sent_at: sentAt, data } = await rowOf(mail);
    expect(server.arrived).toMatchObject([
      { recipients: ['ada@example.com'], messageId, from: 'Dogear <no-reply@books.example>' },
    ]);
    expect(messageId).toMatch(/^<[0-9a-f-]{36}@books\.example>$/);
    expect(server.arrived[0]?.text).toContain(`https://books.example/reset-password#token=${'T'.repeat(43)}`);
    expect(sentAt).not.toBeNull();
    expect(data).toEqual({});
  });

  // Planted hole, seen failing here: a mail taken although another's lease on it runs.
  test('is sent once by however many processes at a time', async () => {
    const mails = Array.from({ length: 30 }, (_, n) => aMail(`reader${n}@example.com`));
    await queue(...mails);
    const counts = await Promise.all([deliver(), deliver(), deliver(), deliver()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
    expect(server.arrived.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      mails.map(({ to }) => to.email).toSorted(),
    );
  });

  test('whose address the server refuses for good is given up at once; one it refuses for now is tried again', async () => {
    const [refused, later] = [aMail('550-nobody@example.com'), aMail('451-busy@example.com')];
    await queue(refused, later);
    await deliver();
    expect((await rowOf(refused)).dead_at).not.toBeNull();
    expect(dead).toMatchObject([{ kind: 'sold' }]);
    expect(JSON.stringify(dead)).not.toContain('nobody@example.com>');
    expect(await rowOf(later)).toMatchObject({ dead_at: null, sent_at: null, attempts: 1, leased_until: null });
  });

  test('waits longer after each try, and is given up after ten', async () => {
    const url = await aClosedPort();
    const [mail, secret] = [aMail(), aResetMail()];
    await queue(mail);
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await makeDue();
      await deliver(url);
      const { waitSeconds, attempts, last_error: error } = await rowOf(mail);
      expect(attempts).toBe(attempt);
      expect(error).toContain('ECONNREFUSED');
      expect(waitSeconds).toBeGreaterThan(60 * 2 ** (attempt - 1) * 0.75 - 60);
      expect(waitSeconds).toBeLessThan(60 * 2 ** (attempt - 1) * 1.25);
    }
    await queue(secret);
    await connection.db.updateTable('outbox').set({ attempts: 9 }).where('key', '=', secret.key).execute();
    await makeDue();
    await deliver(url);
    await deliver(url);
    expect(dead).toHaveLength(1);
    // A receipt can be sent again by whoever runs the shop; a link that opens an account must not lie around.
    expect(await rowOf(mail)).toMatchObject({ attempts: 10, data: { title: 'Middlemarch' } });
    expect(await rowOf(secret)).toMatchObject({ attempts: 10, data: {} });
    for (const one of [mail, secret]) expect((await rowOf(one)).dead_at).not.toBeNull();
    await makeDue();
    expect(await deliver()).toBe(0);
    expect(server.arrived).toEqual([]);
  });

  test('does not spend its tries while the server is away and another one has found out', async () => {
    await queue(aMail(), aMail(), aMail());
    await deliver(await aClosedPort());
    const { attempts } = await connection.db
      .selectFrom('outbox')
      .select(sql<number>`sum(attempts)::int`.as('attempts'))
      .executeTakeFirstOrThrow();
    expect(attempts).toBe(1);
  });

  test('with a link that is dead by now is not sent', async () => {
    const mail = aResetMail();
    await queue(mail);
    await sql`UPDATE outbox SET queued_at = now() - interval '31 minutes'`.execute(connection.db);
    await deliver();
    expect(server.arrived).toEqual([]);
    expect(await rowOf(mail)).toMatchObject({ data: {}, last_error: 'too late to be of use' });
  });

  test('that was sent a month ago is known by its key only', async () => {
    const mail = aMail();
    await queue(mail);
    await deliver();
    await tidyOutbox(connection.db);
    expect(await rowOf(mail)).toMatchObject({ to_email: 'ada@example.com' });
    await sql`UPDATE outbox SET sent_at = now() - interval '31 days'`.execute(connection.db);
    await tidyOutbox(connection.db);
    expect(await rowOf(mail)).toMatchObject({ to_email: '', to_name: '' });
    await queue(mail);
    expect(await deliver()).toBe(0);
  });

  test('that is on its way when the shop closes arrives and is noted', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const slow = await aMailServer({ hold: () => held });
    const mail = aMail();
    await queue(mail);
    const worker = startMailWorker(
      { db: connection.db, transport: smtpTransport(slow.url, 'no-reply@books.example'), publicUrl },
      { onDead: () => {}, onError: () => {} },
    );
    await expect.poll(() => slow.arrived.length).toBe(1);
    const stopped = worker.stop();
    letGo();
    await stopped;
    await slow.close();
    expect((await rowOf(mail)).sent_at).not.toBeNull();
  });

  test('leaves this machine encrypted or not at all, unless the address of the server says otherwise', async () => {
    // To the shop this is another machine; the system takes it for this one.
    const elsewhere = server.url.replace('127.0.0.1', '0.0.0.0');
    const mail = aMail();
    await queue(mail);
    await deliver(elsewhere);
    expect(server.arrived).toEqual([]);
    expect((await rowOf(mail)).last_error).toMatch(/TLS|STARTTLS/i);
    await makeDue();
    expect(await deliver(`${elsewhere}?requireTLS=false`)).toBe(1);
  });
});

describe('a worker that is killed', () => {
  const worker = path.join(import.meta.dirname, '../../../test/mail-worker.ts');

  const run = async (crashAt: string): Promise<void> => {
    const child = spawn(process.execPath, [worker, database.url, server.url], {
      env: { PATH: process.env['PATH'] ?? '', DOGEAR_CRASH_AT: crashAt },
      stdio: 'ignore',
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
  };

  test('loses no mail and sends none more than twice, with the same Message-ID', async () => {
    const kills = long ? 50 : 5;
    const mails = Array.from({ length: kills * 3 }, (_, n) => aMail(`reader${n}@example.com`));
    await queue(...mails);
    let sentUnnoted = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const isSent = kill % 2 === 1;
      sentUnnoted += isSent ? 1 : 0;
      await run(`${isSent ? 'mail-sent-not-marked' : 'before-mail-send'}:${1 + (kill % 3)}`);
      // The dead one's lease ends.
      await sql`UPDATE outbox SET leased_until = now() WHERE leased_until IS NOT NULL`.execute(connection.db);
    }
    await deliver();
    const idsOf = (mail: Mail): string[] =>
      server.arrived.filter(({ recipients }) => recipients[0] === mail.to.email).map(({ messageId }) => messageId);
    for (const mail of mails) {
      const ids = idsOf(mail);
      expect(ids.length, mail.to.email).toBeGreaterThanOrEqual(1);
      expect(ids.length, mail.to.email).toBeLessThanOrEqual(2);
      expect(new Set(ids).size).toBe(1);
      expect((await rowOf(mail)).sent_at).not.toBeNull();
    }
    expect(server.arrived).toHaveLength(mails.length + sentUnnoted);
  });
});
