import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readListing } from '#contract/catalog/catalog.ts';
import { addWebhook } from '#contract/programs/webhooks.ts';
import type { StockCopy } from '#contract/stock/stock-copies.ts';
import type { StockFile } from '#contract/stock/stock-files.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { payAtProvider, recordPaid } from '#test/deal.ts';
import { aKey } from '#test/keys.ts';
import { aBooking, aBuyer, aCategory, aSeller, type TestUser } from '#test/make.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { workOnFiles } from '#test/stock.ts';
import { tellPrograms } from './webhooks/sending.service.ts';

// A bookseller's own stock program, which knows the shop by HTTP alone, over a network that fails at random.

let t: TestApp;
let receiver: Receiver;
let seller: TestUser;
let base: string;
beforeAll(async () => {
  receiver = await openReceiver();
  t = await testApp({ outside: receiver.rules });
  seller = await aSeller(t);
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}/api`;
});
afterAll(async () => {
  await t.close();
  receiver.close();
});

/** As good as random, and the same each time. */
let seed = 42;
const chance = (share: number): boolean => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648 < share;
};

/** Some requests never arrive, and some answers neither. */
const onceOver = async (path: string, init: RequestInit): Promise<Response> => {
  if (chance(0.2)) throw new TypeError('the request was lost');
  const answer = await fetch(base + path, init);
  if (chance(0.2)) throw new TypeError('the answer was lost');
  return answer;
};

class Program {
  readonly #key: string;
  readonly #category: string;
  /** What stands on its shelf, by SKU. */
  readonly shelf = new Map<string, { title: string; price: string; quantity: number }>();
  /** Webhooks that it has worked on. */
  readonly #known = new Set<string>();
  sold = 0;

  constructor(key: string, category: string) {
    this.#key = key;
    this.#category = category;
  }

  /** Sends until there is an answer; every call may be made again. */
  async send<A>(method: string, path: string, body?: object | Buffer, more: Record<string, string> = {}): Promise<A> {
    const isBytes = Buffer.isBuffer(body);
    for (let tries = 0; tries < 60; tries += 1) {
      try {
        const answer = await onceOver(path, {
          method,
          headers: {
            authorization: `Bearer ${this.#key}`,
            ...(body !== undefined && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
            ...more,
          },
          ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
        });
        if (answer.ok) return (await answer.json()) as A;
        if (answer.status < 500 && answer.status !== 429) throw new Error(`${path}: ${await answer.text()}`);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
    throw new Error(`${path} never went through`);
  }

  /** Brings the whole shelf into the shop as a file. */
  async upload(): Promise<void> {
    const id = randomUUID();
    const rows = [...this.shelf].map(
      ([sku, { title, price, quantity }]) => `${sku},${title},${price},${quantity},Good`,
    );
    const bytes = Buffer.from(`sku,title,price,quantity,condition\n${rows.join('\n')}\n`);
    await this.send('PUT', `/stock/files/${id}`, { name: 'shelf.csv', size: bytes.length });
    const digest = createHash('sha256').update(bytes).digest('base64');
    await this.send('PUT', `/stock/files/${id}/parts/0`, bytes, { 'content-digest': `sha-256=:${digest}:` });
    await workOnFiles(t);
    const choices = { category: this.#category, location: 'Portland', phone: '1' };
    const { choices: before } = await this.send<StockFile>('GET', `/stock/files/${id}`);
    await this.send('PUT', `/stock/files/${id}/choices`, { ...before, ...choices });
    await workOnFiles(t);
    await this.send('POST', `/stock/files/${id}/commit`, {});
    await workOnFiles(t);
    expect(await this.send('GET', `/stock/files/${id}`)).toMatchObject({ state: 'done' });
  }

  /** Somebody stands at the counter with a book. */
  async sellAtCounter(sku: string): Promise<void> {
    const copies = await this.send<StockCopy[]>('GET', `/stock/copies?q=${sku}&standing=available`);
    const copy = copies.find((one) => one.sku.split('#')[0] === sku);
    const row = this.shelf.get(sku);
    if (copy === undefined || row === undefined) return;
    await this.send('POST', `/stock/copies/${copy._id}/sold-elsewhere`);
    row.quantity -= 1;
    this.sold += 1;
  }

  /** The shop tells of a sale; what it knows already it leaves. */
  told(id: string, event: { type: string; data: { sku: string } }): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    const row = this.shelf.get(event.data.sku);
    if (event.type === 'copy.sold' && row !== undefined) row.quantity -= 1;
  }
}

it('keeps a stock in step through a key and webhooks while the network fails: nothing lost, nothing twice', async () => {
  const program = new Program(
    await aKey(t, seller, ['stock:read', 'stock:write', 'orders:read']),
    await aCategory(t, seller),
  );
  const body = { url: receiver.url, events: ['copy.sold' as const] };
  const { secret } = (await t.call(addWebhook, { body }, { as: seller })).body;
  receiver.answer = (response, { headers, body: text }) => {
    if (chance(0.25)) return void response.writeHead(503).end();
    const event = new Verifier(secret).verify(text, headers as Record<string, string>);
    program.told(String(headers['webhook-id']), event as Parameters<Program['told']>[1]);
    // It was worked on, and its answer is lost.
    return chance(0.25) ? void response.destroy() : void response.writeHead(204).end();
  };
  const tellAll = async (): Promise<void> => {
    for (let round = 0; round < 30; round += 1) {
      await sql`UPDATE webhook_deliveries SET next_at = now() WHERE state = 'waiting'`.execute(t.db);
      await tellPrograms({ db: t.payments.db, userAgent: 'Dogear', outside: receiver.rules });
    }
  };

  const skus = ['K1', 'K2', 'K3', 'K4', 'K5'];
  for (const [n, sku] of skus.entries())
    program.shelf.set(sku, { title: `Book ${n}`, price: `${n + 4}.00`, quantity: 3 });
  await program.upload();
  let soldHere = 0;
  for (const [round, sku] of skus.entries()) {
    // A reader buys one here.
    const [copy] = await program.send<StockCopy[]>('GET', `/stock/copies?q=${sku}&standing=available`);
    const buyer = await aBuyer(t);
    const listing = (await t.call(readListing, { params: { id: copy?._id ?? '' } })).body;
    const deal = { buyer, seller, copy: listing, bookingId: await aBooking(t, buyer, listing) };
    expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
    soldHere += 1;
    await program.sellAtCounter(skus[(round + 2) % skus.length] ?? sku);
    await tellAll();
    const row = program.shelf.get(sku);
    if (row !== undefined) row.price = `${round + 10}.50`;
    await program.upload();
  }
  const there = await program.send<StockCopy[]>('GET', '/stock/copies?limit=100');
  const quantities = new Map(skus.map((sku) => [sku, 0]));
  for (const { sku } of there) {
    const own = sku.split('#')[0] ?? '';
    quantities.set(own, (quantities.get(own) ?? 0) + 1);
  }
  expect(Object.fromEntries(quantities)).toEqual(
    Object.fromEntries([...program.shelf].map(([sku, { quantity }]) => [sku, quantity])),
  );
  expect(there).toHaveLength(skus.length * 3 - soldHere - program.sold);
  for (const { sku, price } of there) expect(price).toBe(Number(program.shelf.get(sku.split('#')[0] ?? '')?.price));
  // All copies that ever were, by what became of them: none was made up and none is gone.
  const { rows } = await sql<{ status: string; count: number }>`
    SELECT status, count(*)::integer AS count FROM listings WHERE seller_id = ${seller.id} GROUP BY status
    ORDER BY status`.execute(t.db);
  expect(rows).toEqual([
    { status: 'available', count: there.length },
    { status: 'sold', count: soldHere },
    { status: 'withdrawn', count: program.sold },
  ]);
}, 120_000);
