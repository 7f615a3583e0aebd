import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Connection } from '#server/platform/postgres/db.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { deliverDueMail, smtpTransport, tidyOutbox, type DeadMail } from './delivery.service.ts';
import { queueMail, type Mail } from './outbox.service.ts';
import { aMailServer, type TestMailServer } from '#test/mail/mail-server.ts';

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
    { db: connection.db, transport: smtpTransport(url, 'no-reply@books.example'), publicUrl, shopTimeZone: 'UTC' },
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

  test('tells times by the clock that its user was seen with last, else by that of the shop, and names it', async () => {
    const [seen, unseen, lost] = ['seen@example.com', 'unseen@example.com', 'lost@example.com'];
    for (const [email, zone] of [
      [seen, 'America/New_York'],
      [unseen, ''],
      [lost, 'Mars/Olympus'],
    ] as const) {
      const row = {
        email,
        name: 'Reader',
        password_hash: null,
        email_proven_at: null,
        deleted_at: null,
        time_zone: zone,
      };
      await connection.db.insertInto('users').values(row).execute();
    }
    const at = '2026-11-22T23:31:00.000Z';
    for (const email of ['SEEN@example.com', unseen, lost, 'nobody@example.com']) {
      const data = { title: 'Emma', priceCents: 800, bookingId: randomUUID(), transactionId: 'pi_1', paidAt: at };
      await queue({ kind: 'paid-receipt', key: randomUUID(), to: { email, name: '' }, data });
    }
    expect(await deliver()).toBe(4);
    const told = server.arrived.map(({ recipients, text }) => [recipients[0], /When: (.*)/.exec(text)?.[1]]);
    expect(Object.fromEntries(told)).toEqual({
      'SEEN@example.com': 'Nov 22, 2026, 6:31 PM EST',
      [unseen]: 'Nov 22, 2026, 11:31 PM UTC',
      [lost]: 'Nov 22, 2026, 11:31 PM UTC',
      'nobody@example.com': 'Nov 22, 2026, 11:31 PM UTC',
    });
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
    const closing = new AbortController();
    const delivering = deliverDueMail(
      {
        db: connection.db,
        transport: smtpTransport(slow.url, 'no-reply@books.example'),
        publicUrl,
        shopTimeZone: 'UTC',
      },
      { closing: closing.signal, cutOff: never },
      () => {},
    );
    await expect.poll(() => slow.arrived.length).toBe(1);
    closing.abort();
    letGo();
    expect(await delivering).toBe(1);
    await slow.close();
    expect((await rowOf(mail)).sent_at).not.toBeNull();
  });

  test('that was taken while the database was busy is marked as soon as it can be, and sent once', async () => {
    const blocker = connect(database.url, { connections: 1 });
    const waiting = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM pg_locks WHERE relation = 'outbox'::regclass AND NOT granted`.execute(
        connection.db,
      );
      return rows[0]?.count ?? 0;
    };
    let letGo = (): void => {};
    const giveUp = new Promise<void>((resolve) => (letGo = resolve));
    let locking: Promise<void> | undefined;
    const busy = await aMailServer({
      hold: () =>
        new Promise((taken) => {
          locking = blocker.db.transaction().execute(async (trx) => {
            await sql`LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE`.execute(trx);
            taken();
            await giveUp;
          });
        }),
    });
    const mail = aMail();
    await queue(mail);
    const delivered = deliver(busy.url);
    await expect.poll(waiting).toBe(1);
    // The first try to mark it is given up.
    await expect.poll(waiting).toBe(0);
    letGo();
    expect(await delivered).toBe(1);
    await locking;
    expect(await deliver(busy.url)).toBe(0);
    expect(busy.arrived).toHaveLength(1);
    expect((await rowOf(mail)).sent_at).not.toBeNull();
    await busy.close();
    await blocker.close();
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
  const worker = path.join(import.meta.dirname, '../../../test/mail/mail-worker.ts');

  const run = async (crashAt: string): Promise<void> => {
    const child = spawn(process.execPath, [worker, database.url, server.url], {
      env: { PATH: process.env['PATH'] ?? '', DOGEAR_CRASH_AT: crashAt },
      stdio: 'ignore',
    });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
  };

  test('loses no mail, and sends it once more for each kill between sending and marking, with the same Message-ID', async () => {
    const kills = long ? 50 : 5;
    const mails = Array.from({ length: kills * 3 }, (_, n) => aMail(`reader${n}@example.com`));
    await queue(...mails);
    const times = new Map(mails.map((mail) => [mail.to.email, 1]));
    for (let kill = 0; kill < kills; kill += 1) {
      const isSent = kill % 2 === 1;
      await run(`${isSent ? 'mail-sent-not-marked' : 'before-mail-send'}:${1 + (kill % 3)}`);
      // The dead one's lease ends, and whoever it met last is the first to be met again: three kills may strike one
      // mail.
      const { rows } = await sql<{ email: string }>`
        UPDATE outbox SET leased_until = now(), next_try_at = now() - interval '1 day'
        WHERE leased_until IS NOT NULL RETURNING to_email AS email`.execute(connection.db);
      expect(rows).toHaveLength(1);
      for (const { email } of rows) if (isSent) times.set(email, (times.get(email) ?? 0) + 1);
    }
    await deliver();
    for (const mail of mails) {
      const ids = server.arrived
        .filter(({ recipients }) => recipients[0] === mail.to.email)
        .map(({ messageId }) => messageId);
      expect(ids.length, mail.to.email).toBe(times.get(mail.to.email));
      expect(new Set(ids).size).toBe(1);
      expect((await rowOf(mail)).sent_at).not.toBeNull();
    }
  });

  test('again and again over one mail has it sent again and again, and it still ends as sent', async () => {
    const mail = aMail();
    await queue(mail);
    for (let kill = 0; kill < 3; kill += 1) {
      await run('mail-sent-not-marked:1');
      await sql`UPDATE outbox SET leased_until = now()`.execute(connection.db);
    }
    await deliver();
    expect(server.arrived).toHaveLength(4);
    expect(new Set(server.arrived.map(({ messageId }) => messageId)).size).toBe(1);
    expect((await rowOf(mail)).sent_at).not.toBeNull();
  });

  test('leaves its mail to another one after a minute', async () => {
    const mail = aMail();
    await queue(mail);
    await run('before-mail-send:1');
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM leased_until - now())::float8 AS seconds FROM outbox`.execute(connection.db);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
    expect(await deliver()).toBe(0);
    await sql`UPDATE outbox SET leased_until = leased_until - interval '60 seconds'`.execute(connection.db);
    expect(await deliver()).toBe(1);
  });
});
