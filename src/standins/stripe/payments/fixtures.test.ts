import { expect, test } from 'vitest';
import { aCard, aStandin } from '#standins/stripe/test-standin.ts';
import examples from './stripe-examples.json' with { type: 'json' };

// Stripe's own example objects (docs/licences.md). It publishes none of its second version's accounts and their links.
const EXAMPLES: Readonly<Record<string, unknown>> = examples.resources;

// Keys that Stripe's examples do not have yet, or that its types allow beside them.
const NEWER_KEYS: Record<string, string[]> = {
  payment_intent: [
    'allowed_payment_method_types',
    'payment_record',
    'automatic_payment_methods.allow_redirects',
    'managed_payments.enabled',
  ],
  charge: ['outcome.risk_level', 'payment_method_details.card.electronic_commerce_indicator'],
  refund: ['destination_details.card.reference_status', 'destination_details.card.reference_type'],
  payment_method: [],
  dispute: ['evidence_details.submission_method', 'intended_submission_method'],
  event: [],
  balance: [],
  balance_transaction: [],
  transfer: [],
  transfer_reversal: [],
  payout: [],
};

// What hangs below these is another object, or differs from case to case by nature.
const OPAQUE = new Set([
  'data',
  'last_payment_error',
  'metadata',
  'next_action',
  'payment_method_options',
  'refunds.data',
]);

// Stripe says of these by what they hang on whether they are of test mode.
const WITHOUT_MODE = new Set(['balance_transaction', 'refund', 'transfer_reversal']);

function keysOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    return OPAQUE.has(path) ? [path] : [path, ...keysOf(inner, path)];
  });
}

/** True when the key, or an object above it, is null in the other one: a null has no keys to compare. */
function liesUnderNull(path: string, other: unknown): boolean {
  let value = other;
  for (const segment of path.split('.').slice(0, -1)) {
    value = Object(value)[segment];
    if (value === null || value === undefined) return true;
  }
  return false;
}

/** What an account is sent, what of it is taken back, and what it is paid out. */
async function ourConnectObjects({ stripe, control }: Awaited<ReturnType<typeof aStandin>>) {
  const { id: destination } = await stripe.v2.core.accounts.create({
    contact_email: 'ada@books.example',
    display_name: 'Ada',
    dashboard: 'express',
    identity: { country: 'US' },
    configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  });
  await control('POST', `accounts/${destination}/state`, { state: 'active' });
  const transfer = await stripe.transfers.create({ amount: 500, currency: 'usd', destination });
  const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 100 });
  await control('POST', `accounts/${destination}/pay-out`);
  const [payout] = (await stripe.payouts.list({}, { stripeAccount: destination })).data;
  return { transfer, transfer_reversal: reversal, payout };
}

async function ourObjects(): Promise<Record<string, unknown>> {
  const running = await aStandin();
  const { stripe, confirm } = running;
  const intent = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await confirm(intent, aCard('4242424242424242'));
  const paid = await stripe.paymentIntents.retrieve(intent.id);
  const refund = await stripe.refunds.create({ payment_intent: paid.id });
  await stripe.paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_createDispute',
  });
  return {
    payment_intent: paid,
    charge: await stripe.charges.retrieve(String(paid.latest_charge)),
    refund,
    payment_method: await stripe.paymentMethods.retrieve(String(paid.payment_method)),
    dispute: (await stripe.disputes.list()).data[0],
    event: (await stripe.events.list()).data[0],
    ...(await ourConnectObjects(running)),
    balance: await stripe.balance.retrieve(),
    balance_transaction: await stripe.balanceTransactions.retrieve(String(refund.balance_transaction)),
  };
}

test('every object names its kind and is of test mode', async () => {
  for (const [kind, object] of Object.entries(await ourObjects())) {
    expect(object).toMatchObject({ object: kind, ...(WITHOUT_MODE.has(kind) ? {} : { livemode: false }) });
  }
});

test.each(Object.keys(NEWER_KEYS))('%s has the keys of Stripe’s own example, and no others', async (kind) => {
  const theirs = EXAMPLES[kind];
  const ours = (await ourObjects())[kind];
  const theirKeys = keysOf(theirs);
  const ourKeys = keysOf(ours);
  const missing = theirKeys.filter((path) => !ourKeys.includes(path) && !liesUnderNull(path, ours));
  const extra = ourKeys.filter((path) => !theirKeys.includes(path) && !liesUnderNull(path, theirs));
  expect(missing).toEqual([]);
  expect(extra.filter((path) => !NEWER_KEYS[kind]?.includes(path))).toEqual([]);
});
