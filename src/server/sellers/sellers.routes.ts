import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/sellers/sellers.ts';
import { perAccount, perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listFollowed, readFollow, setFollow } from './following.service.ts';
import { listSellerReviews, readOwnSellerPage, readSellerPage, saveSellerPage } from './seller-page.service.ts';

/** A search engine that knows all pages asks for a few a second. */
const PUBLIC = { guard: 'anyone', limits: [perNetworkAMinute(600)] } as const;
const WRITES = { guard: 'viewer', limits: [perAccount(60)] } as const;

/** Pages of sellers, /sellers/:slug and /seller-page, and who follows them: /sellers/:slug/follow and /follows. */
export const sellerRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.readSellerPage, PUBLIC, ({ params, read }) => read((some) => readSellerPage(some, params.slug)));
  serve(app, contract.listSellerReviews, PUBLIC, ({ params, query, read }) =>
    read((some) => listSellerReviews(some, { ...params, ...query })),
  );
  serve(app, contract.readOwnSellerPage, 'seller', ({ viewer }) => readOwnSellerPage(db, viewer));
  serve(app, contract.saveSellerPage, { guard: 'seller', limits: [perAccount(60)] }, ({ viewer, body }) =>
    saveSellerPage(db, viewer, body),
  );
  serve(app, contract.readFollow, 'viewer', ({ viewer, params }) => readFollow(db, viewer, params.slug));
  serve(app, contract.followSeller, WRITES, ({ viewer, params }) =>
    setFollow(db, viewer, { slug: params.slug, follows: true }),
  );
  serve(app, contract.unfollowSeller, WRITES, ({ viewer, params }) =>
    setFollow(db, viewer, { slug: params.slug, follows: false }),
  );
  serve(app, contract.listFollowed, 'viewer', ({ viewer, query }) => listFollowed(db, viewer, query));
};
