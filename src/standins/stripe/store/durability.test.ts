import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from './store.ts';
import { aCard, aFolder, aReceiver, aStandin, sdkAt } from '#standins/stripe/test-standin.ts';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/standins.ts', import.meta.url));

/** The stand-in as a process of its own, and the port it says it listens on. */
async function aProcess(...args: string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [SCRIPT, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    const port = /STANDINS_URL=http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error(`The stand-in did not start: ${said}`);
}

test('everything is there after a restart, idempotency keys too', async () => {
  const file = join(await aFolder(), 'stripe.sqlite');
  const before = await aStandin({ file });
  const params = { amount: 1234, currency: 'usd' };
  const intent = await before.stripe.paymentIntents.create(params, { idempotencyKey: 'k' });
  const asked = await before.confirm(intent, aCard('4000002500003155'));
  const paid = await before.stripe.paymentIntents.create({ ...params, confirm: true, payment_method: 'pm_card_visa' });
  const refund = await before.stripe.refunds.create({ payment_intent: paid.id, amount: 200 });
  await before.standin.close();
  const { stripe, asBrowser } = await aStandin({ file });
  expect(await stripe.paymentIntents.create(params, { idempotencyKey: 'k' })).toEqual(intent);
  expect(await stripe.paymentIntents.retrieve(paid.id)).toEqual(paid);
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([paid.id, intent.id]);
  const source = asked.body.next_action.use_stripe_sdk.three_d_secure_2_source;
  const values = { client_secret: intent.client_secret ?? '', source, outcome: 'complete' };
  expect((await asBrowser('POST', '3ds2/challenge', values)).body.status).toBe('succeeded');
});

test('nothing that was answered is lost by kill -9, and waiting webhooks go on', async () => {
  const file = join(await aFolder(), 'stripe.sqlite');
  const { child, port } = await aProcess('--file', file, '--webhook', 'http://127.0.0.1:9/nobody');
  const stripe = sdkAt(port);
  const answered: string[] = [];
  const work = Array.from({ length: 8 }, async () => {
    for (;;) answered.push((await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })).id);
  });
  const stopped = Promise.allSettled(work);
  await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(40);
  child.kill('SIGKILL');
  await stopped;
  const { url, received } = await aReceiver();
  const after = await aStandin({ file, webhookUrls: [url] });
  const kept = await after.stripe.paymentIntents.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set([...kept.map(({ id }) => id), ...answered]));
  await after.standin.webhooksSettled();
  const told = received.map(({ body }) => JSON.parse(body).data.object.id as string);
  expect(new Set(told)).toEqual(new Set(kept.map(({ id }) => id)));
});

test('SIGTERM ends the process cleanly, and a second process on the same file is turned away', async () => {
  const file = join(await aFolder(), 'a', 'new', 'folder', 'stripe.sqlite');
  const { child } = await aProcess('--file', file);
  await expect(aStandin({ file })).rejects.toThrow(`Another Stripe stand-in is already using ${file}.`);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  await aStandin({ file });
});

test('a damaged file is refused, not half read', async () => {
  const file = join(await aFolder(), 'stripe.sqlite');
  const before = await aStandin({ file });
  await before.stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  await before.standin.close();
  await writeFile(file, 'no rows of a stand-in');
  await expect(aStandin({ file })).rejects.toThrow(`${file} is damaged.`);
});

test('a file does not grow by what is written over', async () => {
  const file = join(await aFolder(), 'stripe.sqlite');
  const store = openStore(file);
  for (let count = 0; count < 2000; count += 1) {
    store.transact((trx) =>
      trx.put('deliveries', `wd_${count % 10}`, { eventId: 'e', endpoint: 0, attempts: count, dueAtMs: 0 }),
    );
    if (count % 50 === 0) await store.durable();
  }
  await store.close();
  expect((await stat(file)).size).toBeLessThan(40_000);
  const again = openStore(file);
  expect([...again.entries('deliveries')].map(([, row]) => row.attempts).sort()).toEqual(
    Array.from({ length: 10 }, (_, at) => 1990 + at),
  );
  await again.close();
});

test('a throw undoes what its transaction had written', async () => {
  const store = openStore(join(await aFolder(), 'stripe.sqlite'));
  const row = { eventId: 'e', endpoint: 0, attempts: 0, dueAtMs: 0 };
  store.transact((trx) => trx.put('deliveries', 'kept', row));
  expect(() =>
    store.transact((trx) => {
      trx.put('deliveries', 'new', row);
      trx.remove('deliveries', 'kept');
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect([...store.entries('deliveries')]).toEqual([['kept', row]]);
  await store.close();
});
