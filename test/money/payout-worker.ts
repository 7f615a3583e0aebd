// The payouts' jobs as a process of its own, for tests that end it between two steps: node test/money/payout-worker.ts
// DATABASE_URL STANDIN_PORT
import { createProvider } from '#server/payments/create-provider.ts';
import { lookAtSellers } from '#server/payments/payouts/due.service.ts';
import { linkPayoutAccount } from '#server/payments/payouts/payout-account.service.ts';
import { sendReversals } from '#server/payments/payouts/reversal.service.ts';
import { sendPayouts } from '#server/payments/payouts/transfer.service.ts';
import { readConfig } from '#server/platform/config.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { STANDIN_SECRET_KEY, STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';

const [databaseUrl = '', port = '', sellerId = ''] = process.argv.slice(2);
const { db, close } = connect(databaseUrl, { connections: 2 });
const provider = createProvider({
  secretKey: STANDIN_SECRET_KEY,
  webhookSecret: STANDIN_WEBHOOK_SECRET,
  at: { host: '127.0.0.1', port: Number(port), protocol: 'http' },
});
const fail = (error: unknown): never => {
  throw error;
};
const deps = {
  db,
  provider,
  holdMinutes: 10,
  terms: { feeBasisPoints: 0, feeCents: 0, commissionBasisPoints: 0 },
  hooks: { settled: fail, refundAsked: fail, refunded: fail, disputed: fail, disputeClosed: fail },
  payouts: readConfig({}).payouts,
  alert: () => {},
  publicUrl: 'http://localhost',
};

if (sellerId === '') {
  await lookAtSellers(db, fail);
  await sendPayouts(deps, fail);
  await sendReversals(deps, fail);
} else {
  const rest = {
    sessionId: '',
    hasFreshSignIn: true,
    isSuspended: false,
    secondFactor: 'not needed',
    emailProvenAt: null,
  } as const;
  const roles = { isAdmin: false, isSeller: true, isBuyer: false };
  const seller = {
    kind: 'signed-in',
    userId: sellerId,
    email: 'seller@example.com',
    name: 'Sam',
    ...roles,
    ...rest,
  } as const;
  await linkPayoutAccount(deps, seller, {});
}
await close();
