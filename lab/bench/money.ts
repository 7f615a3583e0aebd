// npm run bench:money -w lab: how long a booking under contention and a webhook take, beside a bare transaction in the
// same run.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { seededRandom } from '#standins/stripe/faults.ts';
import { STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { signatureHeader } from '#standins/stripe/api/webhook-signature.ts';
import { startChild } from '#lab/proofs/child.ts';
import { crowd, shuffled } from '#lab/proofs/crowd/crowd.ts';
import { engageCast, type Cast } from '#lab/proofs/crowd/people.ts';
import { bookingBody } from '#lab/proofs/crowd/rush.ts';
import { createShopClient, type ShopClient } from '#lab/proofs/crowd/shop-client.ts';
import { openStage, type Stage } from '#lab/proofs/stage.ts';
import { percentilesOf, timesOf, type Percentiles } from './percentiles.ts';

const root = path.join(import.meta.dirname, '../..');

const CLIENTS = 64;
const BUYERS = 200;
const COPIES = 100;
const BOOKINGS = 6_000;
const WARM_UP = 600;
const WEBHOOKS = 400;
/** As many as the stand-in, and Stripe, send at once to a shop of this size. */
const WEBHOOKS_AT_ONCE = 8;
const CARD = '4242424242424242';

/** The bars of lab/docs/proof.md, in milliseconds. */
const BARS = { booking: 250, webhook: 300 } as const;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One app, as `npm start` runs it. */
const open = async (stage: Stage): Promise<void> => {
  const [app] = stage.apps;
  await app.start().said(/Dogear is open at/);
  while (!app.isOpen()) await sleep(20);
};

const measureBare = async (stage: Stage): Promise<Percentiles> => {
  const bare = startChild(root, 'lab/bench/bare-transaction.ts', [], { DATABASE_URL: stage.database.url });
  try {
    const [, port] = await bare.said(/BARE=(\d+)/);
    const ask = async (n: number): Promise<void> => {
      await (await fetch(`http://127.0.0.1:${port}/${n}`)).body?.cancel();
    };
    const all = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
    await timesOf(all(WARM_UP), CLIENTS, ask);
    return percentilesOf(await timesOf(all(BOOKINGS), CLIENTS, ask));
  } finally {
    bare.kill('SIGKILL');
    await bare.exited;
  }
};

const measureBookings = async (shop: ShopClient, cast: Cast, random: () => number): Promise<Percentiles> => {
  const copies = cast.copies.slice(0, COPIES);
  const pairs = cast.buyers.flatMap((buyer) => copies.map((copy) => ({ buyer, copy })));
  const book = async ({ buyer, copy }: (typeof pairs)[number]): Promise<void> => {
    const { status } = await shop.call(buyer, 'POST', '/bookings', bookingBody(buyer, copy), randomUUID());
    if (status !== 201 && status !== 409 && status !== 429) throw new Error(`A booking was answered ${status}.`);
  };
  const wishes = shuffled(pairs, random).slice(0, BOOKINGS);
  return percentilesOf(await timesOf(wishes, CLIENTS, book));
};

/** Paid intents of which the shop was never told: their webhooks are lost, and sent here. */
const untoldPayments = async (stage: Stage, shop: ShopClient, cast: Cast): Promise<string[]> => {
  await stage.provider.control('faults', { faults: [{ fault: 'drop', ratio: 1 }] });
  const intents: string[] = [];
  await crowd(cast.copies.slice(COPIES), WEBHOOKS_AT_ONCE, async (copy, n) => {
    const buyer = cast.buyers[n % BUYERS];
    if (buyer === undefined) return;
    const booked = await shop.call(buyer, 'POST', '/bookings', bookingBody(buyer, copy), randomUUID());
    const body = { price: copy.priceCents / 100, bookingId: booked.body['insertedId'] };
    const asked = await shop.call(buyer, 'POST', '/create-payment-intent', body);
    const secret = String(asked.body['clientSecret']);
    if ((await stage.provider.confirm(secret, CARD)) !== 'succeeded') throw new Error('A payment did not succeed.');
    intents.push(secret.split('_secret')[0] ?? '');
  });
  return intents;
};

const measureWebhooks = async (stage: Stage, intents: readonly string[]): Promise<Percentiles> => {
  const url = `${stage.doorOfAnApp()}/api/webhooks/stripe`;
  const tell = async (intent: string): Promise<void> => {
    const object = { id: intent, object: 'payment_intent' };
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    const body = JSON.stringify({ id, object: 'event', type: 'payment_intent.succeeded', data: { object } });
    const signature = signatureHeader(body, STANDIN_WEBHOOK_SECRET, Math.floor(Date.now() / 1000));
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`A webhook was answered ${answer.status}.`);
  };
  return percentilesOf(await timesOf(intents, WEBHOOKS_AT_ONCE, tell));
};

const stage = await openStage({ tree: root, env: { RECONCILE_SECONDS: '86400' } });
const problems: string[] = [];
try {
  await open(stage);
  const cast = await engageCast(stage.database.url, { buyers: BUYERS, copies: COPIES + WEBHOOKS });
  const shop = createShopClient(stage.doorOfAnApp);
  await shop.signIn(cast.buyers);
  const bare = await measureBare(stage);
  const bookings = await measureBookings(shop, cast, seededRandom(1));
  const webhooks = await measureWebhooks(stage, await untoldPayments(stage, shop, cast));
  const row = (cells: readonly (number | string)[]): void => console.log(`| ${cells.join(' | ')} |`);
  row(['what', 'at once', 'count', 'p50 ms', 'p99 ms', 'p99 to bare', 'bar']);
  row(Array.from({ length: 7 }, () => '---'));
  const tell = (what: string, atOnce: number, times: Percentiles, bar?: number): void => {
    const ratio = (times.p99 / bare.p99).toFixed(1);
    row([what, atOnce, times.count, times.p50.toFixed(0), times.p99.toFixed(0), ratio, bar ?? '']);
    if (bar !== undefined && times.p99 >= bar) problems.push(`${what}: p99 ${times.p99.toFixed(0)} ms, bar ${bar} ms`);
  };
  tell('bare transaction', CLIENTS, bare);
  tell('booking under contention', CLIENTS, bookings, BARS.booking);
  tell('webhook that settles', WEBHOOKS_AT_ONCE, webhooks, BARS.webhook);
} finally {
  await stage.close();
}
console.log(problems.length === 0 ? '\nAll bars are held.' : `\nBelow the bars:\n${problems.join('\n')}`);
process.exit(problems.length === 0 ? 0 : 1);
