import { randomUUID } from 'node:crypto';
import type { Deed, History } from './history.ts';
import type { Copy, Person } from './people.ts';
import type { Provider } from './provider.ts';
import { bookingBody } from './rush.ts';
import type { Reply, ShopClient } from './shop-client.ts';

export interface ShopperDeps {
  readonly shop: ShopClient;
  readonly provider: Provider;
  readonly history: History;
  readonly random: () => number;
  /** After this the clients give up asking again. */
  readonly patienceMs: number;
  /** Who gives money back. */
  readonly admin: Person;
}

/** What a buyer does, drawn by lot. */
type Intention = 'cancels' | 'leaves-after-booking' | 'leaves-after-intent' | 'pays' | 'pays-and-leaves';

export const GOOD_CARD = '4242424242424242';
const DECLINED_CARD = '4000000000000002';
const SLOW_CARD = '4000007700000000';
const DISPUTED_CARD = '4000000000000259';
const ADDRESS = {
  name: 'Bo Buyer',
  line1: '1 Main Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};
const ASK_AGAIN_MS = 100;
const MOST_BUSY = 2;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the answer leaves open if it was done: none came, or it says that something behind the shop is away. */
const isUnknown = ({ status }: Reply): boolean => typeof status === 'string' || status === 502 || status === 503;

const drawn = (random: () => number, shares: readonly (readonly [number, Intention])[]): Intention => {
  let rest = random();
  for (const [share, intention] of shares) {
    rest -= share;
    if (rest < 0) return intention;
  }
  return 'pays';
};

/**
 * One person's way through the shop; every step is asked again, under the same key, until the shop has given its word.
 */
export const createShopper = (deps: ShopperDeps, buyer: Person) => {
  const { shop, provider, history, random } = deps;
  const client = buyer.email;

  const insist = async (
    deed: Deed,
    about: Record<string, string | number>,
    ask: (key: string) => Promise<Reply>,
  ): Promise<Reply | undefined> => {
    const deadline = performance.now() + deps.patienceMs;
    let [key, busy] = [randomUUID(), 0];
    history.note({ client, deed, word: 'invoke', about });
    for (;;) {
      const reply = await ask(key);
      // Another try with this key is being worked on, or was when its app died; after a while people click anew.
      const isBusy = Object(reply.body['error']).code === 'request_in_progress';
      if (isBusy) busy += 1;
      if (busy > MOST_BUSY) [key, busy] = [randomUUID(), 0];
      if (!isUnknown(reply) && !isBusy) {
        const word = typeof reply.status === 'number' && reply.status < 300 ? 'ok' : 'fail';
        const id = reply.body['insertedId'];
        const given = typeof id === 'string' ? id : null;
        history.note({ client, deed, word, about: { ...about, id: given, status: reply.status } });
        return reply;
      }
      history.note({ client, deed, word: 'info', about: { ...about, status: reply.status } });
      if (performance.now() > deadline) return undefined;
      await sleep(ASK_AGAIN_MS * (1 + random()));
    }
  };

  const book = async (copy: Copy): Promise<string | undefined> => {
    const reply = await insist('book', { copy: copy.id }, (key) =>
      shop.call(buyer, 'POST', '/bookings', bookingBody(buyer, copy), key),
    );
    const id = reply?.body['insertedId'];
    return reply?.status === 201 && typeof id === 'string' ? id : undefined;
  };

  const askForIntent = async (booking: string, priceCents: number, parcel?: object): Promise<string | undefined> => {
    const body = { price: priceCents / 100, bookingId: booking, ...parcel };
    const reply = await insist('intent', { booking, priceCents }, (key) =>
      shop.call(buyer, 'POST', '/create-payment-intent', body, key),
    );
    const secret = reply?.body['clientSecret'];
    return reply?.status === 200 && typeof secret === 'string' ? secret : undefined;
  };

  /** As in a browser: an answer that was lost is looked for. */
  const confirm = async (booking: string, secret: string, card: string): Promise<string | undefined> => {
    const about = { booking, intent: secret.split('_secret')[0] ?? '' };
    history.note({ client, deed: 'confirm', word: 'invoke', about });
    const status = (await provider.confirm(secret, card)) ?? (await provider.statusOf(secret));
    const word = status === undefined ? 'info' : status === 'succeeded' || status === 'processing' ? 'ok' : 'fail';
    history.note({ client, deed: 'confirm', word, about: { ...about, status: status ?? null } });
    return status;
  };

  const record = (booking: string, copy: Copy, intent: string): Promise<Reply | undefined> => {
    const body = {
      price: copy.priceCents / 100,
      transactionId: intent,
      email: buyer.email,
      bookingId: booking,
    };
    return insist('record', { booking, intent }, (key) => shop.call(buyer, 'POST', '/payments', body, key));
  };

  const cancel = (booking: string): Promise<Reply | undefined> =>
    insist('cancel', { booking }, () => shop.call(buyer, 'DELETE', `/bookings/${booking}`));

  const pay = async (copy: Copy, booking: string, leaves: boolean): Promise<void> => {
    // A cheat's price first, now and then: it must be refused, and the provider's books will tell.
    if (random() < 0.1) await askForIntent(booking, copy.priceCents - 100);
    const [secret, ofSecondTab] = await Promise.all([
      askForIntent(booking, copy.priceCents),
      random() < 0.15 ? askForIntent(booking, copy.priceCents) : undefined,
    ]);
    const use = secret ?? ofSecondTab;
    if (use === undefined) return;
    const intent = use.split('_secret')[0] ?? '';
    const lot = random();
    if (lot < 0.05) await confirm(booking, use, DECLINED_CARD);
    const card = lot > 0.97 ? DISPUTED_CARD : lot > 0.92 ? SLOW_CARD : GOOD_CARD;
    const status = await confirm(booking, use, card);
    if (card === DISPUTED_CARD && status === 'succeeded') await decide(intent);
    if (status !== 'succeeded' || leaves) return;
    const asked = [record(booking, copy, intent)];
    if (random() < 0.15) asked.push(record(booking, copy, intent));
    const [first] = await Promise.all(asked);
    if (first?.status === 200 && card !== DISPUTED_CARD) await regret(booking, intent);
  };

  const refund = (booking: string, intent: string): Promise<Reply | undefined> =>
    insist('refund', { booking, intent }, () => shop.call(deps.admin, 'POST', `/bookings/${booking}/refund`));

  /** The bank decides at once, or not while anybody looks. */
  const decide = async (intent: string): Promise<void> => {
    const lot = random();
    if (lot < 0.7) await provider.decideDispute(intent, lot < 0.35 ? 'lost' : 'won');
  };

  /** Now and then the money goes back: by an admin, by two clicks of one, or at the provider past the shop. */
  const regret = async (booking: string, intent: string): Promise<void> => {
    const lot = random();
    if (lot < 0.04) await refund(booking, intent);
    else if (lot < 0.06) await Promise.all([refund(booking, intent), refund(booking, intent)]);
    else if (lot < 0.08) await provider.refund(intent);
  };

  /** Of a parcel that is paid its buyer takes a book out, or an admin gives one or all back. */
  const thinOut = async (bookings: readonly string[], intent: string): Promise<void> => {
    const [first, last] = [bookings[0], bookings.at(-1)];
    if (first === undefined || last === undefined) return;
    const lot = random();
    if (lot < 0.35) {
      const { body } = await shop.call(buyer, 'GET', `/bookings/${last}`);
      const move = { move: 'take-out', bookingId: last };
      if (typeof body['orderId'] !== 'string') return;
      await insist('take-out', { booking: last, intent }, () =>
        shop.call(buyer, 'POST', `/orders/${String(body['orderId'])}/moves`, move),
      );
    } else if (lot < 0.5) await refund(first, intent);
    else if (lot < 0.6) await Promise.all(bookings.map((booking) => refund(booking, intent)));
  };

  /** Wants several copies in one parcel, posted or picked up; those that somebody else was quicker about stay out. */
  const buyTogether = async (copies: readonly Copy[]): Promise<void> => {
    const booked: { copy: Copy; booking: string }[] = [];
    for (const copy of copies) {
      const booking = await book(copy);
      if (booking !== undefined) booked.push({ copy, booking });
    }
    if (booked.length > 1 && random() < 0.1) await cancel(booked.pop()?.booking ?? '');
    const [first] = booked;
    if (first === undefined) return;
    const bookingIds = booked.map(({ booking }) => booking);
    const delivery = random() < 0.5 ? { delivery: 'post', address: ADDRESS } : { delivery: 'pickup' };
    const secret = await askForIntent(first.booking, first.copy.priceCents, { bookingIds, ...delivery });
    if (secret === undefined) return;
    const lot = random();
    const card = lot > 0.94 ? DISPUTED_CARD : lot > 0.88 ? SLOW_CARD : GOOD_CARD;
    const status = await confirm(first.booking, secret, card);
    const intent = secret.split('_secret')[0] ?? '';
    if (card === DISPUTED_CARD && status === 'succeeded') await decide(intent);
    if (status !== 'succeeded' || random() < 0.25) return;
    const reply = await record(first.booking, first.copy, intent);
    if (reply?.status === 200 && card === GOOD_CARD) await thinOut(bookingIds, intent);
  };

  /** Buys with a good card and gets the money back from an admin; every step is done. */
  const buyAndRegret = async (copy: Copy): Promise<void> => {
    const booking = await book(copy);
    const secret = booking === undefined ? undefined : await askForIntent(booking, copy.priceCents);
    if (booking === undefined || secret === undefined) return;
    const intent = secret.split('_secret')[0] ?? '';
    await confirm(booking, secret, GOOD_CARD);
    await record(booking, copy, intent);
    await refund(booking, intent);
  };

  const bookAndCancel = async (copy: Copy): Promise<void> => {
    const booking = await book(copy);
    if (booking === undefined) return;
    await askForIntent(booking, copy.priceCents);
    await cancel(booking);
  };

  return {
    buyAndRegret,
    bookAndCancel,
    buyTogether,
    book,
    askForIntent,
    confirm,
    record,
    cancel,
    refund,
    /** Wants a copy and does with it what the lot says; gives up where the shop says no. */
    buy: async (copy: Copy): Promise<void> => {
      const intention = drawn(random, [
        [0.05, 'leaves-after-booking'],
        [0.05, 'leaves-after-intent'],
        [0.06, 'cancels'],
        [0.3, 'pays-and-leaves'],
      ]);
      const booking = await book(copy);
      if (booking === undefined || intention === 'leaves-after-booking') return;
      if (intention === 'leaves-after-intent' || intention === 'cancels') {
        await askForIntent(booking, copy.priceCents);
        if (intention === 'cancels') await cancel(booking);
        return;
      }
      await pay(copy, booking, intention === 'pays-and-leaves');
    },
  };
};
