import { randomBytes } from 'node:crypto';
import {
  MAX_WEBHOOKS,
  WEBHOOK_DAYS,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '#contract/programs/webhooks.ts';
import { requireFreshSignIn } from '#server/identity/users/departure.service.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import { outsideAddress, type OutsideRules } from '#server/platform/outside/request-outside.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireGoodStanding, requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  deleteWebhook,
  deleteWebhooksOf,
  findWebhookSeller,
  insertTest,
  insertWebhook,
  listDeliveryRows,
  listWebhookRows,
  lockSeller,
  renewDelivery,
  type DeliveryRow,
  type WebhookRow,
} from './webhooks.queries.ts';

const SECRET_BYTES = 32;

const shown = ({ id, url, events, createdAt }: WebhookRow): Webhook => ({
  _id: id,
  url,
  events,
  createdAt: createdAt.toISOString(),
});

const shownDelivery = ({
  id,
  event,
  state,
  attempts,
  status,
  problem,
  noted,
  nextAt,
}: DeliveryRow): WebhookDelivery => ({
  _id: id,
  event,
  state,
  attempts,
  status,
  problem,
  at: noted.toISOString(),
  nextAt: state === 'waiting' ? nextAt.toISOString() : null,
});

const requireOwn = async (db: Db, viewer: Viewer, id: string): Promise<void> => {
  const { userId } = requireSeller(viewer);
  if ((await findWebhookSeller(db, id)) !== userId) throw notFound('There is no such webhook');
};

export const listWebhooks = async (db: Db, viewer: Viewer): Promise<{ webhooks: Webhook[] }> => ({
  webhooks: (await listWebhookRows(db, requireSeller(viewer).userId)).map(shown),
});

/** Has an address told of events; the secret that signs them is answered this once. */
export const addWebhook = async (
  db: Db,
  viewer: Viewer,
  input: { url: string; events: readonly WebhookEvent[] },
  { isPort }: OutsideRules = {},
): Promise<{ secret: string; added: Webhook }> => {
  const seller = requireFreshSignIn(viewer);
  requireSeller(seller);
  requireGoodStanding(seller);
  const url = outsideAddress(input.url.trim(), isPort);
  if (url === undefined) throw badFields({ url: 'Give an https address, such as https://books.example/dogear' });
  const secret = randomBytes(SECRET_BYTES);
  return db.transaction().execute(async (trx) => {
    await lockSeller(trx, seller.userId);
    if ((await listWebhookRows(trx, seller.userId)).length >= MAX_WEBHOOKS)
      throw new AppError('too_many', `You have ${MAX_WEBHOOKS} webhooks already: remove one first`);
    const webhook = { sellerId: seller.userId, url: url.href, events: [...new Set(input.events)], secret };
    return { secret: `whsec_${secret.toString('base64')}`, added: shown(await insertWebhook(trx, webhook)) };
  });
};

export const removeWebhook = async (db: Db, viewer: Viewer, id: string): Promise<{ deletedCount: number }> => ({
  deletedCount: await deleteWebhook(db, requireSeller(viewer).userId, id),
});

/** Tells an address of the viewer's of a test. */
export const testWebhook = async (db: Db, viewer: Viewer, id: string): Promise<WebhookDelivery> => {
  await requireOwn(db, viewer, id);
  return shownDelivery(await insertTest(db, id));
};

/** What an address of the viewer's was told, the newest first. */
export const listDeliveries = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: WebhookDelivery[]; next?: string }> => {
  await requireOwn(db, viewer, input.id);
  const limit = limitOf(input.limit);
  const rows = await listDeliveryRows(db, input.id, { limit: limit + 1, after: positionOf(input.cursor) });
  const page = pageOf(rows, limit);
  return { ...page, rows: page.rows.map(shownDelivery) };
};

/** Has an address of the viewer's told of something once more. */
export const resendDelivery = async (
  db: Db,
  viewer: Viewer,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<WebhookDelivery> => {
  await requireOwn(db, viewer, id);
  const row = await renewDelivery(db, { webhookId: id, id: deliveryId, days: WEBHOOK_DAYS });
  if (row === undefined) throw notFound('There is no such delivery');
  return shownDelivery(row);
};

/** The addresses of somebody who leaves. */
export const forgetWebhooks = (trx: Trx, sellerId: string): Promise<void> => deleteWebhooksOf(trx, sellerId);
