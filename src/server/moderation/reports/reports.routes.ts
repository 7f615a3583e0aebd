import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admin/reports.ts';
import { perAccount, perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { ModerationDeps } from '#server/moderation/moderation.service.ts';
import {
  appealDecision,
  decideAppeal,
  decideCase,
  decisionsFile,
  listOwnDecisions,
  listReportCases,
  reportThing,
  undoDecision,
} from './reports.service.ts';

/** A network may be a school; enough for whoever sees something, too little to bury admins. */
const REPORTING = { guard: 'anyone', limits: [perAccount(30), perNetwork(60)] } as const;
const APPEALING = { guard: 'viewer', limits: [perAccount(30)] } as const;

/** What is reported and decided: /reports, /reports/cases and /account/decisions. */
export const reportRoutes = (app: FastifyInstance, deps: ModerationDeps & { timeZone: string }): void => {
  const { db, timeZone } = deps;
  serve(app, contract.reportThing, REPORTING, ({ viewer, body }) => reportThing(db, viewer, body));
  serve(app, contract.listReportCases, 'admin', ({ viewer, query }) => listReportCases(db, viewer, query));
  serve(app, contract.decisionsFile, { guard: 'admin', limits: [perAccount(60)] }, ({ viewer, query }) =>
    decisionsFile(db, viewer, { ...query, timeZone }),
  );
  serve(app, contract.decideCase, 'admin', ({ viewer, params, body, reply }) =>
    decideCase(deps, viewer, { ...params, ...body }, (error, subject) =>
      reply.log.warn({ err: error, subject }, "a deleted user's hold or order could not be ended yet"),
    ),
  );
  serve(app, contract.undoDecision, 'admin', ({ viewer, params }) => undoDecision(db, viewer, params.id));
  serve(app, contract.decideAppeal, 'admin', ({ viewer, params, body }) =>
    decideAppeal(db, viewer, { ...params, ...body }),
  );
  serve(app, contract.listOwnDecisions, 'viewer', ({ viewer, query }) => listOwnDecisions(db, viewer, query));
  serve(app, contract.appealDecision, APPEALING, ({ viewer, params, body }) =>
    appealDecision(db, viewer, { ...params, ...body }),
  );
};
