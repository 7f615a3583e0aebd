import { sql } from 'kysely';
import { expect } from 'vitest';
import { approveAdjustment, askAdjustment } from '#contract/money/adjustments.ts';
import {
  enterBankDetails,
  makeBatch,
  markPaid,
  markReturned,
  readBatch,
  readByHand,
  strikeOff,
} from '#contract/money/by-hand.ts';
import type { Input } from '#contract/endpoint.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { anAdmin, PASSWORD, type TestUser } from '#test/make.ts';

/** What makes a shop pay by hand, with a bank that takes files of NACHA. */
export const BY_HAND = {
  PAYOUTS: 'manual',
  NACHA_BANK_ROUTING: '021000021',
  NACHA_BANK_NAME: 'First Bank',
  NACHA_COMPANY_ID: '1234567890',
  NACHA_COMPANY_NAME: 'Dogear Books',
} as const;

/** A shop that pays by hand, and the two admins it takes. */
export const openByHand = async (
  more: Readonly<Record<string, string>> = {},
): Promise<{ t: TestApp; admins: [TestUser, TestUser] }> => {
  const t = await testApp({ env: { ...BY_HAND, ...more } });
  return { t, admins: await Promise.all([anAdmin(t), anAdmin(t)]) };
};

export const ACCOUNT = '000123456789';
export const IBAN = 'DE89370400440532013000';

type Details = Input<typeof enterBankDetails>['body'];

export const anAccount = (more: Partial<Details> = {}): Details => ({
  password: PASSWORD,
  kind: 'us',
  holder: 'Ada Lovelace',
  country: 'US',
  routing: '021000021',
  account: ACCOUNT,
  accountType: 'checking',
  ...more,
});

export const anIban = (more: Partial<Details> = {}): Details => ({
  password: PASSWORD,
  kind: 'iban',
  holder: 'Jürgen Müller',
  country: 'DE',
  iban: IBAN,
  ...more,
});

/** What tests of paying by hand do with a shop, which is asked for when it is open. */
export const byHandSteps = (shop: () => TestApp, admins: () => readonly [TestUser, TestUser]) => {
  const admin = () => ({ as: admins()[0] });
  /** Has a seller be due so many cents more, by a correction that two admins make. */
  const due = async (seller: TestUser, cents: number): Promise<void> => {
    const body = { sellerId: seller.id, amount: cents / 100, account: 'refund-costs', reason: 'For a test' } as const;
    const asked = await shop().call(askAdjustment, { body }, admin());
    const booked = await shop().call(approveAdjustment, { params: { id: asked.body.id } }, { as: admins()[1] });
    expect(booked).toMatchObject({ status: 200, body: { state: 'booked', amount: cents / 100 } });
  };
  const enter = (seller: TestUser, details: Details = anAccount()) =>
    shop().call(enterBankDetails, { body: details }, { as: seller });
  /** So that nothing pauses any more. */
  const hold = () => advanceClock(shop(), 73);
  /** Today, by the shop's clock. */
  const shopDay = async (): Promise<string> => (await readShopClock(shop().db)).now.toISOString().slice(0, 10);
  const work = async () => (await shop().call(readByHand, {}, admin())).body;
  const make = (sellers: readonly TestUser[], as = admins()[0]) =>
    shop().call(makeBatch, { body: { sellerIds: sellers.map(({ id }) => id) } }, { as });
  const read = async (id: string) => (await shop().call(readBatch, { params: { id } }, admin())).body;
  return {
    due,
    enter,
    hold,
    shopDay,
    work,
    make,
    read,
    file: (id: string, format: 'csv' | 'nacha' = 'csv', as = admins()[0]) =>
      shop().send('GET', `/api/money/batches/${id}/file?format=${format}`, { as }),
    paid: async (id: string, on?: string) =>
      shop().call(markPaid, { params: { id }, body: { reference: 'WIRE-7', on: on ?? (await shopDay()) } }, admin()),
    returned: (id: string, reason = 'No such account') =>
      shop().call(markReturned, { params: { id }, body: { reason } }, admin()),
    struck: (id: string) => shop().call(strikeOff, { params: { id }, body: { reason: 'Wrong name' } }, admin()),
    /** What the admins' list has of a seller. */
    rowOf: async ({ id }: TestUser) => (await work()).due.find(({ sellerId }) => sellerId === id),
    /** Cents of a seller on an account. */
    balanceOn: async (seller: TestUser, account: string): Promise<number> => {
      const { rows } = await sql<{ cents: number }>`SELECT coalesce(sum(amount_cents), 0)::int AS cents
        FROM ledger_entries WHERE account = ${account} AND seller_id = ${seller.id}`.execute(shop().db);
      return rows[0]?.cents ?? 0;
    },
    /** A batch with the one payout of a seller who is due so many cents and has waited long enough. */
    aBatch: async (seller: TestUser, cents = 40_000, details = anAccount()) => {
      await due(seller, cents);
      await enter(seller, details);
      await hold();
      const { body } = await make([seller]);
      const [payout] = (await read(body.id)).payouts;
      return { ...body, payoutId: payout?.id ?? '' };
    },
  };
};
