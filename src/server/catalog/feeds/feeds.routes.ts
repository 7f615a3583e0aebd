import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/programs/feeds.ts';
import { perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { writeGoogleFeed, writeSearchFeed } from './feeds.service.ts';

/** Readers of feeds come every quarter of an hour or so, Google once a day. */
const QUARTER = 'public, max-age=900';
const HOUR = 'public, max-age=3600';

/** /feeds: what is new as Atom, and what is for sale for Google Merchant Center. */
export const feedRoutes = (app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void => {
  serve(
    app,
    contract.searchFeed,
    { guard: 'anyone', limits: [perNetworkAMinute(60)] },
    async ({ query, read, reply }) => {
      const feed = await read((some) => writeSearchFeed(some, publicUrl, query));
      reply.header('cache-control', QUARTER);
      return feed;
    },
  );
  serve(app, contract.googleFeed, { guard: 'anyone', limits: [perNetworkAMinute(6)] }, async ({ query, reply }) => {
    const feed = await writeGoogleFeed(db, publicUrl, query.seller);
    reply.header('cache-control', HOUR);
    return feed;
  });
};
