import type { PayoutAccount as Shown, PayoutShown } from '#contract/money/payouts.ts';
import { isCountry } from '#contract/delivery/countries.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { accountsOf } from '#server/ledger/ledger.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused } from '#server/payments/provider.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { PayoutConfig } from '#server/platform/config.ts';
import { cursorOf, limitOf, positionOf } from '#server/platform/cursor.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import { requireSeller, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { listBankPayoutRows } from './bank-payout.queries.ts';
import { findDetails } from './by-hand/details.queries.ts';
import { refreshAccount } from './payee.service.ts';
import {
  beginAccount,
  countRefusedAccount,
  findPayoutAccount,
  saveAccount,
  setNextLook,
  type PayoutAccount,
} from './payout-account.queries.ts';
import { listPayoutRows } from './payout-rows.queries.ts';
import { accountWords, bankWords, byHandWords, NO_PAYOUTS, payoutWords } from './payout-words.policy.ts';

/** What sellers do about their payouts needs to know where the shop is: the provider leads back there. */
export type PayoutDeps = Pick<PaymentDeps, 'db' | 'provider' | 'alert' | 'payouts'> & { readonly publicUrl: string };

/** An account that is not ready is asked about when its seller looks, but no more often than this. */
const ASKED_AGAIN_MS = 5_000;
const BANK_PAYOUTS_SHOWN = 20;
const DEFAULT_COUNTRY = 'US';

/** Has somebody look now whether to pay a seller. */
export const lookAgainAt = async (trx: Trx, sellerId: string): Promise<void> =>
  setNextLook(trx, sellerId, (await readShopClock(trx)).now);

const isStale = ({ status, accountId, checkedAt }: PayoutAccount): boolean =>
  accountId !== null &&
  status !== 'active' &&
  (checkedAt === null || Date.now() - checkedAt.getTime() > ASKED_AGAIN_MS);

/** What is told of where somebody is paid, beside their money. */
type Place = Pick<Shown, 'way' | 'status' | 'says' | 'country' | 'requirements'>;

const placeByProvider = async (db: Db, userId: string): Promise<Place> => {
  const { status = 'none', requirements = [], country = null } = (await findPayoutAccount(db, userId)) ?? {};
  return { way: 'connect', status, says: accountWords(status, requirements), country, requirements: [...requirements] };
};

const placeByHand = async (db: Db, userId: string): Promise<Place> => {
  const details = await findDetails(db, userId);
  const ready = details?.isPaused === true ? 'pending' : 'active';
  const status = details === undefined ? 'none' : details.locked === null ? ready : 'restricted';
  const says = byHandWords(status, details?.locked ?? null);
  return { way: 'manual', status, says, country: details?.country ?? null, requirements: [] };
};

const NOWHERE: Place = { way: 'none', status: 'none', says: NO_PAYOUTS, country: null, requirements: [] };

const PLACES: Record<PayoutConfig['way'], (db: Db, userId: string) => Promise<Place>> = {
  connect: placeByProvider,
  manual: placeByHand,
  off: () => Promise.resolve(NOWHERE),
};

/** Where the viewer is paid and what is missing; what the provider does not tell now is as it was told last. */
export const readPayoutAccount = async (
  deps: PayoutDeps,
  viewer: Viewer,
  onError: (error: unknown) => void,
): Promise<Shown> => {
  const { userId } = requireSeller(viewer);
  const { db, payouts } = deps;
  const before = payouts.way === 'connect' ? await findPayoutAccount(db, userId) : undefined;
  if (before !== undefined && isStale(before)) await refreshAccount(deps, userId).catch(onError);
  const [place, cents, bank] = await Promise.all([
    PLACES[payouts.way](db, userId),
    accountsOf(db, userId),
    listBankPayoutRows(db, userId, BANK_PAYOUTS_SHOWN),
  ]);
  return {
    ...place,
    pending: dollarsOf(cents.pendingCents),
    due: dollarsOf(cents.dueCents),
    onItsWay: dollarsOf(cents.onItsWayCents),
    bankPayouts: bank.map((row) => ({
      _id: row.id,
      amount: dollarsOf(row.cents),
      status: row.status,
      arrivesAt: row.arrivesAt?.toISOString() ?? null,
      says: bankWords(row),
    })),
  };
};

/** The provider's own words for why it will not, as an answer. */
const willing = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    throw new AppError('payouts_refused', `The payment service will not do this now: ${error.message}`);
  }
};

/** The viewer's account at the provider, made where there is none; of several presses one makes it, by its key. */
const accountFor = async (deps: PayoutDeps, user: SignedIn, country: string | undefined): Promise<string> => {
  const { db, provider } = deps;
  const known = await findPayoutAccount(db, user.userId);
  if (known?.accountId != null) return known.accountId;
  const wanted = country ?? known?.country ?? DEFAULT_COUNTRY;
  const begun = await db.transaction().execute((trx) => beginAccount(trx, user.userId, wanted));
  if (begun.accountId !== null) return begun.accountId;
  const { userId, email, name } = user;
  const made = await willing(async () => {
    try {
      return await provider.connect.createPayee({ userId, n: begun.n, email, name, country: wanted });
    } catch (error) {
      if (error instanceof ProviderRefused) await countRefusedAccount(db, begun);
      throw error;
    }
  });
  crashPoint('account-made');
  await db.transaction().execute((trx) => saveAccount(trx, userId, made.id));
  return (await findPayoutAccount(db, userId))?.accountId ?? made.id;
};

/**
 * A one-time address at which the provider asks the viewer for what is missing; makes their account first. 400 for a
 * country that is none, 409 with the provider's words where it will not, or where the shop pays otherwise; 502 when it
 * does not answer.
 */
export const linkPayoutAccount = async (
  deps: PayoutDeps,
  viewer: Viewer,
  input: { country?: string | undefined },
): Promise<{ url: string }> => {
  const seller = requireSeller(viewer);
  if (deps.payouts.way !== 'connect')
    throw new AppError('payouts_refused', 'This shop does not pay out by the payment service');
  const country = input.country?.toUpperCase();
  if (country !== undefined && !isCountry(country)) throw badFields({ country: 'Choose a country' });
  const accountId = await accountFor(deps, seller, country);
  const page = `${deps.publicUrl}/dashboard/payouts`;
  const url = await willing(() =>
    deps.provider.connect.onboardingLink(accountId, { returnUrl: page, refreshUrl: `${page}?again=1` }),
  );
  return { url };
};

/** A one-time address of the viewer's own pages at the provider; 404 where they have no account. */
export const openPayoutAccount = async (deps: PayoutDeps, viewer: Viewer): Promise<{ url: string }> => {
  const { userId } = requireSeller(viewer);
  const accountId = (await findPayoutAccount(deps.db, userId))?.accountId;
  if (accountId == null) throw notFound('You have no account at the payment service yet');
  return { url: await willing(() => deps.provider.connect.loginLink(accountId)) };
};

/** The viewer's payouts, newest first; 400 for a foreign cursor. */
export const listPayouts = async (
  db: Db,
  viewer: Viewer,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: PayoutShown[]; next?: string }> => {
  const { userId } = requireSeller(viewer);
  const limit = limitOf(input.limit);
  const rows = await listPayoutRows(db, userId, { limit: limit + 1, after: positionOf(input.cursor) });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map((row) => ({
      _id: row.id,
      orderId: row.orderId,
      title: row.title,
      amount: dollarsOf(row.cents),
      reversed: dollarsOf(row.reversedCents),
      state: row.state,
      says: payoutWords(row),
      at: row.at,
    })),
    ...(rows.length > limit && last !== undefined && { next: cursorOf(last) }),
  };
};
