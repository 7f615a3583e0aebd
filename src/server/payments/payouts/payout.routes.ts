import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/payouts.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import {
  linkPayoutAccount,
  listPayouts,
  openPayoutAccount,
  readPayoutAccount,
  type PayoutDeps,
} from './payout-account.service.ts';

/** What each call costs at the provider bounds how often it is made. */
const ASKS_PROVIDER = [perAccount(60)];

/** GET /payouts and /payouts/account, POST /payouts/account/link and /payouts/account/login. */
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
};
