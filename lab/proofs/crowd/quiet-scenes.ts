import type { Finding } from '#lab/proofs/books/finding.ts';
import { watchTransactions } from '#lab/proofs/books/lock-watch.ts';
import type { Copy, Person } from './people.ts';
import type { Provider } from './provider.ts';
import { createShopper, GOOD_CARD, type ShopperDeps } from './shopper.ts';

/**
 * Longer than any transaction may be open (I12), shorter than the shop waits for the provider and the database for the
 * shop.
 */
const HANG_MS = 3_500;
/** As often as the shop asks before it gives up, so that the answer is lost for good and a person asks again. */
const TRIES_OF_THE_SHOP = 3;
/** Each kind of call that the shop makes while it moves a booking. */
const CALLS = [
  'POST /v1/payment_intents',
  'GET /v1/payment_intents/:id',
  'POST /v1/payment_intents/:id/cancel',
  'POST /v1/refunds',
];
/** How many people and copies the scenes take. */
export const SCENE_CAST = 8;

interface Actor {
  readonly shopper: ReturnType<typeof createShopper>;
  readonly copy: Copy;
}

interface Begun extends Actor {
  readonly booking: string;
  readonly secret: string;
}

const intentOf = ({ secret }: Begun): string => secret.split('_secret')[0] ?? '';

const begin = async ({ shopper, copy }: Actor): Promise<Begun> => {
  const booking = await shopper.book(copy);
  const secret = booking === undefined ? undefined : await shopper.askForIntent(booking, copy.priceCents);
  if (booking === undefined || secret === undefined) throw new Error('A quiet scene could not begin.');
  return { shopper, copy, booking, secret };
};

const pay = async (begun: Begun): Promise<void> => {
  await begun.shopper.confirm(begun.booking, begun.secret, GOOD_CARD);
};

const record = (begun: Begun) => begun.shopper.record(begun.booking, begun.copy, intentOf(begun));

const struckIn = async (provider: Provider): Promise<Map<string, number>> => {
  const { body } = await provider.control('faults', undefined);
  const rules = body['faults'] as readonly { on?: string; struck: number }[];
  return new Map(rules.map(({ on = '', struck }) => [on, struck]));
};

/**
 * Sets faults, lets people do what they do, and fails unless each fault struck: a scene that was not played proves
 * nothing.
 */
const under = async (provider: Provider, faults: readonly { on: string }[], work: () => Promise<unknown>) => {
  await provider.control('faults', { seed: 1, faults });
  await work();
  const struck = await struckIn(provider);
  await provider.control('faults', { seed: 1, faults: [] });
  const missed = faults.filter(({ on }) => !struck.get(on)).map(({ on }) => on);
  if (missed.length > 0) throw new Error(`A fault struck nothing: ${missed.join(', ')}`);
};

/**
 * The provider takes its time over every kind of call, one person each at it, while nobody else is in the shop: so
 * whichever transaction is open for long is one that waits for the provider.
 */
const slowProvider = async (deps: ShopperDeps, databaseUrl: string, actors: readonly Actor[]) => {
  const [asks, ...others] = actors;
  if (asks === undefined) throw new Error('Nobody is there.');
  // No webhook may settle for those who are to report their payment.
  await deps.provider.control('faults', { seed: 1, faults: [{ fault: 'drop', ratio: 1 }] });
  const booking = (await asks.shopper.book(asks.copy)) ?? '';
  const [cancels, reports, regrets, leaves] = await Promise.all(others.map(begin));
  if (cancels === undefined || reports === undefined || regrets === undefined || leaves === undefined)
    throw new Error('Too few people are there.');
  await Promise.all([pay(reports), pay(regrets)]);
  await record(regrets);
  const watch = watchTransactions(databaseUrl, 'open');
  const hangs = CALLS.map((on) => ({ fault: 'hang', ratio: 1, ms: HANG_MS, on }));
  await under(deps.provider, hangs, () =>
    Promise.all([
      asks.shopper.askForIntent(booking, asks.copy.priceCents),
      cancels.shopper.cancel(cancels.booking),
      record(reports),
      regrets.shopper.refund(regrets.booking, intentOf(regrets)),
      // Told of by webhook alone, which is taken while the others wait.
      pay(leaves),
    ]),
  );
  return watch;
};

/** Answers are lost until the shop gives up; the person asks again. And somebody names a price of their own. */
const lostAnswers = async (deps: ShopperDeps, actors: readonly Actor[]): Promise<void> => {
  const [asks, regretful, cheat] = actors;
  if (asks === undefined || regretful === undefined || cheat === undefined)
    throw new Error('Too few people are there.');
  const booking = (await asks.shopper.book(asks.copy)) ?? '';
  const paid = await begin(regretful);
  await pay(paid);
  await record(paid);
  const cuts = ['POST /v1/payment_intents', 'POST /v1/refunds'].map((on) => ({
    fault: 'cut',
    next: TRIES_OF_THE_SHOP,
    on,
  }));
  await under(deps.provider, cuts, () =>
    Promise.all([
      asks.shopper.askForIntent(booking, asks.copy.priceCents),
      paid.shopper.refund(paid.booking, intentOf(paid)),
    ]),
  );
  const cheated = (await cheat.shopper.book(cheat.copy)) ?? '';
  await cheat.shopper.askForIntent(cheated, cheat.copy.priceCents - 100);
};

/**
 * What must be seen for certain, and not only as likely as not, is played by itself before the crowd comes: nothing is
 * killed and nobody else is about.
 */
export const quietScenes = async (
  deps: ShopperDeps,
  databaseUrl: string,
  cast: { buyers: readonly Person[]; copies: readonly Copy[] },
): Promise<{ findings: Finding[]; says: string }> => {
  const actors = cast.copies.slice(0, SCENE_CAST).map((copy, n): Actor => {
    const buyer = cast.buyers[n];
    if (buyer === undefined) throw new Error('There are too few buyers.');
    return { shopper: createShopper(deps, buyer), copy };
  });
  const watch = await slowProvider(deps, databaseUrl, actors.slice(0, 5));
  const findings = await watch.stop();
  await lostAnswers(deps, actors.slice(5));
  const says =
    `each kind of call to the provider hung for ${HANG_MS} ms, the longest transaction meanwhile was open for about ` +
    `${watch.longestMs()} ms; answers were lost and asked for again`;
  return { findings, says };
};
