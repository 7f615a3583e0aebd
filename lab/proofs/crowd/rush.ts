import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crowd, shuffled } from './crowd.ts';
import type { Finding } from '#lab/proofs/books/finding.ts';
import { findingOf } from '#lab/proofs/books/finding.ts';
import type { History } from './history.ts';
import type { Copy, Person } from './people.ts';
import type { ShopClient } from './shop-client.ts';
import type { Size } from '#lab/proofs/sizes.ts';

const MOST_BUSY = 30;
/** What `Retry-After` says at least. */
const BUSY_PAUSE_MS = 1_000;

export interface RushResult {
  readonly findings: readonly Finding[];
  readonly says: string;
  readonly accepted: readonly { buyer: Person; bookingId: string }[];
}

export const bookingBody = (buyer: Person, copy: Copy) => ({
  listingId: copy.id,
  title: copy.title,
  buyer: buyer.name,
  email: buyer.email,
  image_url: '',
  phone: '+1 555 0199',
  price: copy.priceCents / 100,
  location: 'Seattle',
});

/**
 * Part one: many buyers book few copies at once, each pair once; every copy must have one winner and all others a clean
 * no.
 */
export const rush = async (
  deps: { shop: ShopClient; history: History; random: () => number; size: Size['rush'] },
  buyers: readonly Person[],
  copies: readonly Copy[],
): Promise<RushResult> => {
  const { shop, history, size } = deps;
  const pairs = buyers.flatMap((buyer) => copies.map((copy) => ({ buyer, copy })));
  // Each copy is wanted by as many; who comes first is chance.
  const wishes = shuffled(pairs, deps.random).slice(0, size.bookings);
  const winners = new Map<string, string[]>();
  const accepted: { buyer: Person; bookingId: string }[] = [];
  const unclean: string[] = [];
  const answers = new Map<string, number>();
  const began = performance.now();
  await crowd(wishes, size.atOnce, async ({ buyer, copy }) => {
    const about = { copy: copy.id };
    history.note({ client: buyer.email, deed: 'book', word: 'invoke', about });
    // As the page does: one key for one wish, however often it is asked.
    const key = randomUUID();
    const ask = async () => {
      const reply = await shop.call(buyer, 'POST', '/bookings', bookingBody(buyer, copy), key);
      answers.set(String(reply.status), (answers.get(String(reply.status)) ?? 0) + 1);
      return reply;
    };
    let reply = await ask();
    for (let n = 1; size.mayBeBusy && reply.status === 503 && n < MOST_BUSY; n += 1) {
      await sleep(BUSY_PAUSE_MS);
      reply = await ask();
    }
    const { status, body } = reply;
    const id = body['insertedId'];
    if (status === 201 && typeof id === 'string') {
      winners.set(copy.id, [...(winners.get(copy.id) ?? []), id]);
      accepted.push({ buyer, bookingId: id });
      history.note({ client: buyer.email, deed: 'book', word: 'ok', about: { ...about, id } });
    } else {
      history.note({ client: buyer.email, deed: 'book', word: 'fail', about: { ...about, status } });
      if (status !== 409 && status !== 429) unclean.push(`${status} ${JSON.stringify(body['error'] ?? null)}`);
    }
  });
  const seconds = (performance.now() - began) / 1000;
  const lost = copies.filter(({ id }) => !winners.has(id)).map(({ title }) => title);
  const sharedBy = [...winners].filter(([, ids]) => ids.length > 1).map(([id, ids]) => `${id} by ${ids.join(' and ')}`);
  const tally = [...answers].toSorted().map(([status, count]) => `${count} × ${status}`);
  return {
    accepted,
    says: `${wishes.length} bookings of ${copies.length} copies in ${seconds.toFixed(1)} s: ${tally.join(', ')}`,
    findings: [
      ...findingOf('I1', 'a copy was promised to more than one buyer', sharedBy),
      ...findingOf('I1', 'a copy went to nobody though it was wanted', lost),
      ...findingOf('I1', 'a loser was not told 409 or 429', unclean),
    ],
  };
};
