import type { FastifyInstance } from 'fastify';
import * as adjustments from '#contract/money/adjustments.ts';
import * as contract from '#contract/money/by-hand.ts';
import { deviceTokenOf } from '#server/http/auth.ts';
import { perAccount, perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import { approveAdjustment, askAdjustment, declineAdjustment, listAdjustments } from './adjustment.service.ts';
import { downloadBatch } from './batch-file.service.ts';
import { approveBatch, makeBatch, readOneBatch, readWork } from './batch.service.ts';
import type { ByHandDeps } from './by-hand.deps.ts';
import { enterBankDetails, readBankDetails } from './details.service.ts';
import { markPaid, markReturned, strikeOff } from './hand-payout.service.ts';

/** Each tells its owner by mail and asks for a password. */
const ENTERED = [perAccount(10), perNetwork(100)];
/** What an admin marks by hand, payout by payout. */
const MARKED = [perAccount(2_000)];
/** Each is a file of account numbers. */
const FILES = [perAccount(60)];

/**
 * Paying by hand: GET and PUT /payouts/details for sellers; /money/by-hand, /money/batches, /money/payouts and
 * /money/adjustments for admins.
 */
export const byHandRoutes = (app: FastifyInstance, deps: ByHandDeps & { readonly config: Config }): void => {
  const { db, config } = deps;
  serve(app, contract.readBankDetails, { guard: 'seller', limits: [perAccount(600)] }, ({ viewer }) =>
    readBankDetails(db, config, viewer),
  );
  serve(app, contract.enterBankDetails, { guard: 'seller', limits: ENTERED }, ({ viewer, body, ip, reply }) =>
    enterBankDetails(db, config, viewer, { ...body, ip, device: deviceTokenOf(reply.request) }),
  );
  serve(app, contract.readByHand, 'admin', ({ viewer }) => readWork(deps, viewer));
  serve(app, contract.makeBatch, { guard: 'admin', limits: [perAccount(60)] }, ({ viewer, body }) =>
    makeBatch(deps, viewer, body.sellerIds),
  );
  serve(app, contract.readBatch, 'admin', ({ viewer, params }) => readOneBatch(deps, viewer, params.id));
  serve(app, contract.approveBatch, 'admin', ({ viewer, params }) => approveBatch(deps, viewer, params.id));
  serve(app, contract.downloadBatch, { guard: 'admin', limits: FILES }, ({ viewer, params, query }) =>
    downloadBatch(deps, viewer, { id: params.id, format: query.format }),
  );
  serve(app, contract.markPaid, { guard: 'admin', limits: MARKED }, ({ viewer, params, body }) =>
    markPaid(deps, viewer, params.id, body),
  );
  serve(app, contract.strikeOff, { guard: 'admin', limits: MARKED }, ({ viewer, params, body }) =>
    strikeOff(deps, viewer, params.id, body),
  );
  serve(app, contract.markReturned, { guard: 'admin', limits: MARKED }, ({ viewer, params, body }) =>
    markReturned(deps, viewer, params.id, body),
  );
  serve(app, adjustments.listAdjustments, 'admin', ({ viewer, query }) => listAdjustments(db, viewer, query));
  serve(app, adjustments.askAdjustment, { guard: 'admin', limits: [perAccount(60)] }, ({ viewer, body }) =>
    askAdjustment(db, viewer, body),
  );
  serve(app, adjustments.approveAdjustment, 'admin', ({ viewer, params }) => approveAdjustment(db, viewer, params.id));
  serve(app, adjustments.declineAdjustment, 'admin', ({ viewer, params }) => declineAdjustment(db, viewer, params.id));
};
