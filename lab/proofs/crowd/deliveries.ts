import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { crowd } from './crowd.ts';
import { parcelsOf, type Parcel } from './parcels.ts';
import type { Copy, Person } from './people.ts';
import { createShopper, GOOD_CARD, type ShopperDeps } from './shopper.ts';

/** How long a step of somebody is asked again, and the shop's own work waited for. */
const PATIENCE_MS = 90_000;
const LOOK_AGAIN_MS = 200;
/** Longer than a buyer may complain in this run (`ORDER_PROBLEM_HOURS`). */
const HOURS_TO_CLOSE = 1.1;
const AT_ONCE = 8;
/** So many of the orders that were paid out go back. */
const REGRETS = 0.3;

/** Something that the shop does by itself was not done. */
export class InVain extends Error {
  override readonly name = 'InVain';
}

export interface DeliveryDeps extends ShopperDeps {
  readonly databaseUrl: string;
  /** Where an app answers now. */
  readonly door: () => string | undefined;
}

/** Of so many orders one is a parcel of several books. */
const PARCELS = 4;

/** An order that is paid for. */
interface Sold {
  readonly order: string;
  /** Its first, by which it is named. */
  readonly booking: string;
  readonly bookings: readonly string[];
  readonly intent: string;
  readonly buyer: Person;
}

interface Passed {
  readonly orders: number;
  readonly parcels: number;
  readonly back: number;
}

/**
 * What follows the payment: handing over, receipt, the end by time, the payout, and money that goes back afterwards.
 * Each step is asked again until it is done, whoever dies over it.
 */
export const createDeliveries = (deps: DeliveryDeps, seller: Person) => {
  const { shop, provider } = deps;

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: deps.databaseUrl, application_name: 'prove' });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };

  /** Until it is so; while the database is away it is not. */
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await isSo().catch(() => false))) {
      if (performance.now() > deadline) throw new InVain(`In vain was waited for this: ${what}`);
      await sleep(LOOK_AGAIN_MS);
    }
  };

  const answered = async (what: string, ask: () => Promise<{ status: number | string }>): Promise<void> =>
    until(what, async () => {
      const { status } = await ask();
      return status === 200 || status === 201;
    });

  /** The seller tells the provider where to pay them. */
  const openAccount = async (person: Person = seller): Promise<void> => {
    await answered('an account', () => shop.call(person, 'POST', '/payouts/account/link', { country: 'US' }));
    await until('an account of the provider', async () => {
      const [row] = await query<{ id: string }>('SELECT account_id AS id FROM payout_accounts WHERE seller_id = $1', [
        person.id,
      ]);
      return (await provider.control(`accounts/${row?.id}/state`, { state: 'active' })).status === 200;
    });
    await until('an account that is ready', async () => {
      await shop.call(person, 'GET', '/payouts/account');
      const [now] = await query<{ status: string }>('SELECT status FROM payout_accounts WHERE seller_id = $1', [
        person.id,
      ]);
      return now?.status === 'active';
    });
  };

  const buy = async (buyer: Person, [copy, ...more]: Parcel): Promise<Sold> => {
    const shopper = createShopper(deps, buyer);
    const bookings: string[] = [];
    for (const each of [copy, ...more]) bookings.push((await shopper.book(each)) ?? '');
    const [booking = ''] = bookings;
    const parcel = bookings.length === 1 ? undefined : { bookingIds: bookings, delivery: 'pickup' };
    const secret = bookings.includes('') ? undefined : await shopper.askForIntent(booking, copy.priceCents, parcel);
    if (secret === undefined) throw new Error(`${copy.title} could not be bought.`);
    const intent = secret.split('_secret')[0] ?? '';
    await until('a card that is charged', async () => {
      const status = await provider.statusOf(secret);
      return status === 'succeeded' || (await shopper.confirm(booking, secret, GOOD_CARD)) === 'succeeded';
    });
    await shopper.record(booking, copy, intent);
    let order = '';
    await until('an order', async () => {
      const [row] = await query<{ id: string | null }>('SELECT order_id AS id FROM bookings WHERE id = $1', [booking]);
      order = row?.id ?? '';
      return order !== '';
    });
    return { order, booking, bookings, intent, buyer };
  };

  const isIn =
    (order: string, ...states: string[]) =>
    async (): Promise<boolean> => {
      const [row] = await query<{ state: string }>('SELECT state FROM orders WHERE id = $1', [order]);
      return states.includes(row?.state ?? '');
    };

  /** A move that may have been made by the try before. */
  const move = (who: Person, order: string, body: { move: string }, ...leadsTo: string[]): Promise<void> =>
    until(`${body.move} of an order`, async () => {
      if (await isIn(order, ...leadsTo)()) return true;
      await shop.call(who, 'POST', `/orders/${order}/moves`, body);
      return isIn(order, ...leadsTo)();
    });

  const isRefunded = async (booking: string): Promise<boolean> => {
    const [row] = await query<{ at: Date | null }>('SELECT refunded_at AS at FROM bookings WHERE id = $1', [booking]);
    return row?.at != null;
  };

  /** One book of a parcel cannot be sent: its price goes back. */
  const leaveOut = ({ order, bookings }: Sold): Promise<void> => {
    const bookingId = bookings.at(-1) ?? '';
    return until('a book that is left out', async () => {
      if (await isRefunded(bookingId)) return true;
      await shop.call(seller, 'POST', `/orders/${order}/moves`, { move: 'leave-out', bookingId, reason: 'Torn' });
      return isRefunded(bookingId);
    });
  };

  const handOver = async (sold: Sold): Promise<void> => {
    const { order, buyer } = sold;
    if (sold.bookings.length > 1) await leaveOut(sold);
    const times = { place: 'The café in Paper Lane', times: 'Saturday, 10 to 12 or Monday, after 5 PM' };
    await move(seller, order, { move: 'make-ready', ...times }, 'ready', 'received', 'closed');
    await move(buyer, order, { move: 'hand-over' }, 'received', 'closed');
  };

  const advance = async (): Promise<void> =>
    until('a clock that moves', async () => {
      const answer = await fetch(`${deps.door()}/standins/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advanceHours: HOURS_TO_CLOSE }),
      });
      return answer.ok;
    });

  /** All that the seller is due has left, and all that they owe is back. */
  const settled = (): Promise<void> =>
    until('a seller who is paid to the cent', async () => {
      const [row] = await query<{ cents: string }>(
        `SELECT coalesce(sum(abs(cents)), 0) AS cents FROM (SELECT sum(amount_cents) AS cents FROM ledger_entries
          WHERE seller_id = $1 AND account IN ('seller', 'in-transit') GROUP BY account) AS accounts`,
        [seller.id],
      );
      return Number(row?.cents) === 0;
    });

  const giveBack = async ({ booking, intent, buyer }: Sold): Promise<void> => {
    await createShopper(deps, buyer).refund(booking, intent);
    await until('a sale that is refunded', () => isRefunded(booking));
  };

  /** From the shelf to the seller's account and, for some, back: of a parcel one book of those that were kept. */
  const passAll = async (buyers: readonly Person[], copies: readonly Copy[], regrets: number): Promise<Passed> => {
    const sold: Sold[] = [];
    await crowd(parcelsOf(copies, PARCELS), AT_ONCE, async (parcel, n) => {
      const buyer = buyers[n % buyers.length];
      if (buyer !== undefined) sold.push(await buy(buyer, parcel));
    });
    await crowd(sold, AT_ONCE, handOver);
    await advance();
    await until('orders that are closed', async () => {
      const ids = sold.map(({ order }) => order);
      const open = await query(`SELECT FROM orders WHERE id = ANY($1) AND state <> 'closed'`, [ids]);
      return open.length === 0;
    });
    await settled();
    const back = sold.slice(0, Math.ceil(sold.length * regrets));
    await crowd(back, AT_ONCE, giveBack);
    await settled();
    const parcels = sold.filter(({ bookings }) => bookings.length > 1).length;
    return { orders: sold.length, parcels, back: back.length };
  };

  return {
    openAccount,
    /** Many orders at once. */
    run: async (buyers: readonly Person[], copies: readonly Copy[]): Promise<string> => {
      await openAccount();
      const { orders, parcels, back } = await passAll(buyers, copies, REGRETS);
      return `${orders} orders, ${parcels} of them parcels that lost a book on the way, handed over, closed and paid out, ${back} of them given back afterwards`;
    },
    /** One order, through all of it. */
    passOne: async (buyer: Person, copy: Copy, newSeller: Person): Promise<void> => {
      await Promise.all([openAccount(newSeller), passAll([buyer], [copy], 1)]);
    },
  };
};
