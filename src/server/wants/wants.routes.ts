import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/wants/wants.ts';
import { perAccount, perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { listUnfilledWants, readDemand, readFirstRefusal, setFirstRefusal } from './demand.service.ts';
import { passOffer, takeOffer, type PassingDeps } from './offers.service.ts';
import {
  changeWantFeed,
  deleteWant,
  listWants,
  putWant,
  setWantState,
  writeWantFeed,
  type LearnIsbn,
} from './wants.service.ts';

const WRITES = { guard: 'buyer', limits: [perAccount(120)] } as const;

type WantDeps = PassingDeps & { readonly publicUrl: string; readonly learnIsbn: LearnIsbn };

/** /wants: what readers look for, what they are offered, and what sellers are told of it. */
export const wantRoutes = (app: FastifyInstance, deps: WantDeps): void => {
  const { db, publicUrl, learnIsbn } = deps;
  serve(app, contract.listWants, 'buyer', ({ viewer }) => listWants(db, viewer, publicUrl));
  serve(app, contract.putWant, WRITES, ({ viewer, params, body }) =>
    putWant(db, viewer, { id: params.id, draft: body, publicUrl, learnIsbn }),
  );
  serve(app, contract.setWantState, WRITES, ({ viewer, params, body }) =>
    setWantState(db, viewer, { id: params.id, state: body.state, publicUrl }),
  );
  serve(app, contract.deleteWant, 'buyer', ({ viewer, params }) => deleteWant(db, viewer, params.id));
  serve(app, contract.changeWantFeed, WRITES, ({ viewer, params }) =>
    changeWantFeed(db, viewer, { id: params.id, publicUrl }),
  );
  serve(app, contract.wantFeed, { guard: 'anyone', limits: [perNetworkAMinute(60)] }, ({ params }) =>
    writeWantFeed(db, publicUrl, params.token),
  );
  serve(app, contract.takeOffer, 'buyer', ({ viewer, params }) => takeOffer(db, viewer, params.id));
  serve(app, contract.passOffer, 'buyer', ({ viewer, params }) => passOffer(deps, viewer, params.id));
  serve(app, contract.readDemand, { guard: 'seller', limits: [perAccount(600)] }, ({ viewer, query }) =>
    readDemand(db, viewer, query),
  );
  serve(app, contract.listUnfilledWants, 'seller', ({ viewer }) => listUnfilledWants(db, viewer));
  serve(app, contract.readFirstRefusal, 'seller', ({ viewer }) => readFirstRefusal(db, viewer));
  serve(app, contract.setFirstRefusal, { guard: 'seller', limits: [perAccount(60)] }, ({ viewer, body }) =>
    setFirstRefusal(db, viewer, body.on),
  );
};
