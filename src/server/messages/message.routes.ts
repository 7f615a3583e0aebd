import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import * as contract from '#contract/messages/threads.ts';
import { bearerOf } from '#server/http/auth.ts';
import { perAccount, perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn } from '#server/platform/viewer.ts';
import type { Live } from './live.ts';
import {
  askSeller,
  countUnreadThreads,
  listThreadMessages,
  listThreads,
  markThreadRead,
  readThread,
  setThread,
  writeInThread,
} from './threads.service.ts';

/** Who is asked is mailed: enough for whoever looks for books all day, too little to write to every seller. */
const ASKING = { guard: 'viewer', limits: [perAccount(20), perNetwork(200)] } as const;
const WRITING = { guard: 'viewer', limits: [perAccount(120)] } as const;
const SETTING = { guard: 'viewer', limits: [perAccount(120)] } as const;

/** What people write to each other before there is an order: /threads, and POST /listings/:id/messages. */
export const messageRoutes = (
  app: FastifyInstance,
  { db, reachDays, live }: { db: Db; reachDays: number; live: Live },
): void => {
  serve(app, contract.listThreads, 'viewer', ({ viewer, query }) => listThreads(db, viewer, { ...query, reachDays }));
  serve(app, contract.countUnreadThreads, 'viewer', ({ viewer }) => countUnreadThreads(db, viewer));
  serve(app, contract.watchThreads, 'viewer', ({ viewer, reply }) => {
    const { userId, sessionId } = requireSignedIn(viewer);
    const { exp = 0 } = decodeJwt(bearerOf(reply.request) ?? '');
    return live.watch({ userId, sessionId }, new Date(exp * 1_000));
  });
  serve(app, contract.readThread, 'viewer', ({ viewer, params }) => readThread(db, viewer, { ...params, reachDays }));
  serve(app, contract.listThreadMessages, 'viewer', ({ viewer, params, query }) =>
    listThreadMessages(db, viewer, { ...params, ...query }),
  );
  serve(app, contract.writeInThread, WRITING, ({ viewer, params, body, idempotencyKey }) =>
    writeInThread(db, viewer, { ...params, ...body, reachDays, idempotencyKey }),
  );
  serve(app, contract.askSeller, ASKING, ({ viewer, params, body, idempotencyKey }) =>
    askSeller(db, viewer, { ...params, ...body, idempotencyKey }),
  );
  serve(app, contract.markThreadRead, 'viewer', ({ viewer, params, body }) =>
    markThreadRead(db, viewer, { ...params, ...body }),
  );
  serve(app, contract.setThread, SETTING, ({ viewer, params, body }) => setThread(db, viewer, { ...params, ...body }));
};
