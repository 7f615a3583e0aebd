import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/payouts.ts';
import { checkSetup as checkSetupContract } from '#contract/money/setup-check.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import {
  linkPayoutAccount,
  listPayouts,
  openPayoutAccount,
  readPayoutAccount,
  type PayoutDeps,
} from './payout-account.service.ts';
import { checkSetup } from './setup-check.service.ts';

/** What each call costs at the provider bounds how often it is made. */
const ASKS_PROVIDER = [perAccount(60)];

/** GET /payouts and /payouts/account, POST /payouts/account/link, /payouts/account/login and /money/setup-check. */
export const payoutRoutes = (app: FastifyInstance, deps: PayoutDeps): void => {
  serve(app, contract.listPayouts, 'seller', ({ viewer, query }) => listPayouts(deps.db, viewer, query));
  serve(app, contract.readPayoutAccount, { guard: 'seller', limits: [perAccount(600)] }, ({ viewer }) =>
    readPayoutAccount(deps, viewer, (error) => app.log.warn({ err: error }, 'an account could not be asked about')),
  );
  serve(app, contract.linkPayoutAccount, { guard: 'seller', limits: ASKS_PROVIDER }, ({ viewer, body }) =>
    linkPayoutAccount(deps, viewer, body ?? {}),
  );
  serve(app, contract.openPayoutAccount, { guard: 'seller', limits: ASKS_PROVIDER }, ({ viewer }) =>
    openPayoutAccount(deps, viewer),
  );
  serve(app, checkSetupContract, { guard: 'admin', limits: [perAccount(10)] }, ({ viewer }) =>
    checkSetup(deps, viewer),
  );
};
