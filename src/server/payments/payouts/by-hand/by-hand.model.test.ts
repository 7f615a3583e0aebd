import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveBatch, markPaid, markReturned, strikeOff } from '#contract/money/by-hand.ts';
import { lookAtSellers } from '#server/payments/payouts/due.service.ts';
import type { TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { anAccount, byHandSteps, openByHand } from '#test/money/by-hand.ts';
import { failing } from '#test/deal.ts';
import { aSeller, type TestUser } from '#test/make.ts';
import { storiesOr, STORIES_TIMEOUT_MS } from '#test/model.ts';

let t: TestApp;
let admins: [TestUser, TestUser];

beforeAll(async () => {
  ({ t, admins } = await openByHand());
});
afterAll(() => t.close());

const { due, enter, hold, make, read, file, shopDay } = byHandSteps(
  () => t,
  () => admins,
);

const which = fc.nat(1);
const step = fc.oneof(
  fc.record({ what: fc.constant('due' as const), which, cents: fc.constantFrom(-3_000, 900, 2_000, 50_001) }),
  fc.record({ what: fc.constant('enter' as const), which, account: fc.constantFrom('11112222', '33334444') }),
  fc.record({ what: fc.constant('hold' as const) }),
  { weight: 3, arbitrary: fc.record({ what: fc.constant('batch' as const), both: fc.boolean(), which, by: which }) },
  fc.record({ what: fc.constant('approve' as const), which, by: which }),
  fc.record({ what: fc.constant('file' as const), which }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant('paid' as const), which }) },
  fc.record({ what: fc.constant('strike' as const), which }),
  fc.record({ what: fc.constant('return' as const), which }),
  fc.record({ what: fc.constant('look' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What the shop should know of a payout, reckoned by the test alone. */
interface Expected {
  readonly seller: number;
  readonly cents: number;
  state: 'asked' | 'sent' | 'refused' | 'returned';
}

/** A story of two sellers and two admins, and beside it what should have become of the money. */
const tell = async (steps: readonly Step[]): Promise<void> => {
  const sellers = [await aSeller(t), await aSeller(t)] as const;
  const owed = [0, 0];
  const payouts = new Map<string, Expected>();
  const batches: { id: string; by: number; needsApproval: boolean; file?: string }[] = [];
  const seller = (n: number): TestUser => sellers[n === 0 ? 0 : 1];
  const newest = (n: number): [string, Expected] | undefined =>
    [...payouts].findLast(([, payout]) => payout.seller === n);

  const move = async (n: number, to: 'sent' | 'refused' | 'returned'): Promise<void> => {
    const [id = '', payout] = newest(n) ?? [];
    if (payout === undefined) return;
    const params = { id };
    const as = { as: admins[0] };
    const answer =
      to === 'sent'
        ? await t.call(markPaid, { params, body: { reference: 'R', on: await shopDay() } }, as)
        : await t.call(to === 'refused' ? strikeOff : markReturned, { params, body: { reason: 'Why not' } }, as);
    expect([200, 409]).toContain(answer.status);
    if (answer.status === 409) return;
    expect(payout.state).toBe(to === 'returned' ? 'sent' : 'asked');
    payout.state = to;
    if (to !== 'sent') owed[n] = (owed[n] ?? 0) + payout.cents;
  };

  const makeOne = async (both: boolean, n: number, by: number): Promise<void> => {
    const made = await make(both ? sellers : [seller(n)], admins[by === 0 ? 0 : 1]);
    expect([201, 409]).toContain(made.status);
    if (made.status === 409) return;
    batches.push({ id: made.body.id, by, needsApproval: made.body.needsApproval });
    for (const { id, sellerId, amount } of (await read(made.body.id)).payouts) {
      const at = sellerId === sellers[0].id ? 0 : 1;
      const cents = Math.round(amount * 100);
      // All of what is due, never more, and one at a time.
      expect(cents).toBe(owed[at]);
      expect(newest(at)?.[1].state).not.toBe('asked');
      owed[at] = 0;
      payouts.set(id, { seller: at, cents, state: 'asked' });
    }
    const sum = [...payouts.values()].slice(-made.body.count).reduce((total, { cents }) => total + cents, 0);
    if (sum > 50_000) expect(made.body.needsApproval).toBe(true);
  };

  const download = async (n: number): Promise<void> => {
    const batch = batches.at(-1 - n);
    if (batch === undefined) return;
    const answer = await file(batch.id);
    if (batch.needsApproval) expect(answer.json()).toMatchObject({ error: { code: 'second_admin_needed' } });
    if (batch.file !== undefined) expect(answer.body).toBe(batch.file);
    if (answer.statusCode === 200) batch.file = answer.body;
  };

  const approve = async (n: number, by: number): Promise<void> => {
    const batch = batches.at(-1 - n);
    if (batch === undefined) return;
    const answer = await t.call(approveBatch, { params: { id: batch.id } }, { as: admins[by === 0 ? 0 : 1] });
    if (batch.needsApproval && batch.by === by) expect(answer.status).toBe(409);
    if (answer.status === 200) batch.needsApproval = false;
  };

  for (const one of steps) {
    if (one.what === 'due') {
      await due(seller(one.which), one.cents);
      owed[one.which] = (owed[one.which] ?? 0) + one.cents;
    }
    if (one.what === 'enter') await enter(seller(one.which), anAccount({ account: one.account }));
    if (one.what === 'hold') await hold();
    if (one.what === 'batch') await makeOne(one.both, one.which, one.by);
    if (one.what === 'approve') await approve(one.which, one.by);
    if (one.what === 'file') await download(one.which);
    if (one.what === 'paid') await move(one.which, 'sent');
    if (one.what === 'strike') await move(one.which, 'refused');
    if (one.what === 'return') await move(one.which, 'returned');
    if (one.what === 'look') await lookAtSellers(t.db, failing, 'manual');
    await expectInvariants(t.db);
  }
  const rows = await t.db.selectFrom('payouts').select(['id', 'state', 'amount_cents']).execute();
  for (const [id, { cents, state }] of payouts)
    expect(rows.find((row) => row.id === id)).toEqual({ id, state, amount_cents: cents });
};

/** Where a story begins: money is due, details are there and have waited. */
const READY: readonly Step[] = [
  { what: 'due', which: 0, cents: 2_000 },
  { what: 'due', which: 1, cents: 50_001 },
  { what: 'enter', which: 0, account: '11112222' },
  { what: 'enter', which: 1, account: '11112222' },
  { what: 'hold' },
];

test(
  'nobody is paid twice, more than was due, or by one admin alone, whatever happens in which order',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => tell([...READY, ...steps])),
      { ...storiesOr(8, 300), endOnFailure: true },
    );
  },
);
