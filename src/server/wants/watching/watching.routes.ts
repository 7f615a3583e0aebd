import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/wants/watching.ts';
import { perAccount, perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import {
  addWish,
  changeSearchFeed,
  deleteSavedSearch,
  listMarks,
  listSavedSearches,
  listWishes,
  removeWish,
  saveSearch,
  writeSavedFeed,
} from './watching.service.ts';

const WRITES = { guard: 'viewer', limits: [perAccount(600)] } as const;

/** /wishes and /saved-searches: what readers watch, and a feed of each search by a secret address. */
export const watchingRoutes = (app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void => {
  serve(app, contract.listWishes, 'viewer', ({ viewer }) => listWishes(db, viewer));
  serve(app, contract.listMarks, 'viewer', ({ viewer }) => listMarks(db, viewer));
  serve(app, contract.addWish, WRITES, ({ viewer, params }) => addWish(db, viewer, params.id));
  serve(app, contract.removeWish, WRITES, ({ viewer, params }) => removeWish(db, viewer, params.id));
  serve(app, contract.listSavedSearches, 'viewer', ({ viewer }) => listSavedSearches(db, viewer, publicUrl));
  serve(app, contract.saveSearch, WRITES, ({ viewer, params, body: { query, name = '' } }) =>
    saveSearch(db, viewer, { id: params.id, query, name, publicUrl }),
  );
  serve(app, contract.deleteSavedSearch, 'viewer', ({ viewer, params }) => deleteSavedSearch(db, viewer, params.id));
  serve(app, contract.changeSearchFeed, WRITES, ({ viewer, params }) =>
    changeSearchFeed(db, viewer, { id: params.id, publicUrl }),
  );
  serve(app, contract.savedSearchFeed, { guard: 'anyone', limits: [perNetworkAMinute(60)] }, ({ params }) =>
    writeSavedFeed(db, publicUrl, params.token),
  );
};
