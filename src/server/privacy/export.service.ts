import { Readable } from 'node:stream';
import { auditEntriesAbout } from '#server/audit/audit.service.ts';
import { listBookingsToExport } from '#server/bookings/buyers/leaving-buyer.service.ts';
import { readShelf } from '#server/bookings/pausing/pausing.service.ts';
import { readDelivery } from '#server/catalog/delivery/delivery.service.ts';
import { readDraft } from '#server/catalog/drafts/draft.service.ts';
import { listApiKeys } from '#server/identity/keys/api-keys.service.ts';
import { listWebhooks } from '#server/programs/webhooks/webhooks.service.ts';
import { listStockEdits } from '#server/catalog/stock/copies/stock-edits.service.ts';
import { listStockFiles } from '#server/catalog/stock/files/stock-files.service.ts';
import { listCopiesToExport } from '#server/catalog/listings/shelf/leaving-seller.service.ts';
import { listPhotosToExport, readPhotoToExport, type PhotoStore } from '#server/catalog/photos/photo-export.service.ts';
import { accountToExport, takeExport } from '#server/identity/users/account-export.service.ts';
import { declarationToExport } from '#server/law/declaring.service.ts';
import { findIdentityOf } from '#server/moderation/identity/identity-checks.service.ts';
import { listDecisionsToExport, listReportsToExport } from '#server/moderation/reports/reports.service.ts';
import { listBlocksToExport, listMessagesToExport } from '#server/messages/messages.service.ts';
import { listNoticesToExport, mailChoicesToExport } from '#server/notices/notices.service.ts';
import { listOrdersToExport } from '#server/orders/export/order-export.service.ts';
import { listReviewsToExport } from '#server/orders/reviews/reviews.service.ts';
import {
  listCardsToExport,
  listCheckoutsToExport,
  listPaymentsToExport,
  listPayoutRows,
  payoutAccountToExport,
} from '#server/payments/payment-export.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { sellerPageToExport } from '#server/sellers/seller-page.service.ts';
import { watchesToExport } from '#server/wants/watching/watching.service.ts';
import { readFirstRefusal } from '#server/wants/demand.service.ts';
import { wantsToExport } from '#server/wants/wants.service.ts';
import { zipOf, type ArchivedFile } from './zip.ts';

/** Rows read by one statement: each stays far below the time a request's statement has. */
const BATCH = 500;
/** Exports under way in a process; each has at most one connection of the pool at a time. */
const MOST_UNDER_WAY = 2;

let underWay = 0;

export interface ExportDeps {
  readonly db: Db;
  readonly config: Config;
  /** Where photos lie. */
  readonly store: PhotoStore;
}

type Page = { limit: number; after: Position | undefined };

/** All rows of a newest-first list, batch by batch. */
async function* batchesOf<Row extends Position>(read: (page: Page) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let after: Position | undefined;
  for (;;) {
    const rows = await read({ limit: BATCH, after });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1);
  }
}

async function* auditBatches(db: Db, userId: string): AsyncGenerator<unknown[]> {
  let after = '0';
  for (;;) {
    const rows = await auditEntriesAbout(db, userId, after, BATCH);
    const shown = rows.map(({ actorId, id: _id, ...entry }) => ({
      ...entry,
      // Who else did it is another user's data.
      by: actorId === userId ? 'you' : actorId === null ? 'the operator of the shop' : 'an admin',
    }));
    if (shown.length > 0) yield shown;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? after;
  }
}

async function* noticeBatches(db: Db, userId: string): AsyncGenerator<unknown[]> {
  let below: string | undefined;
  for (;;) {
    const rows = await listNoticesToExport(db, userId, { limit: BATCH, below });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    below = rows.at(-1)?.id;
  }
}

/** The text of a JSON array, a batch a piece. */
async function* arrayText(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const whole = (name: string, content: unknown): ArchivedFile => ({
  name,
  pieces: [`${JSON.stringify(content, null, 2)}\n`],
});

const list = (name: string, batches: AsyncIterable<unknown[]>): ArchivedFile => ({ name, pieces: arrayText(batches) });

/** The photos of a user, and the picture of each. */
async function* photosOf({ db, store }: ExportDeps, userId: string): AsyncGenerator<ArchivedFile> {
  const batches = () => batchesOf((page) => listPhotosToExport(db, userId, page));
  yield list('photos.json', batches());
  for await (const photos of batches()) {
    for (const { id } of photos) {
      const bytes = await readPhotoToExport({ db, store }, id);
      if (bytes !== undefined) yield { name: `photos/${id}.webp`, pieces: [bytes] };
    }
  }
}

async function* filesOf(deps: ExportDeps, user: SignedIn): AsyncGenerator<ArchivedFile> {
  const { db, config } = deps;
  const { userId } = user;
  const { profile, ...lists } = await accountToExport(db, config, user);
  yield whole('about.json', {
    shop: config.publicUrl,
    madeAt: new Date().toISOString(),
    about: 'Everything the shop keeps about you. Amounts are in US dollars, times in UTC.',
  });
  yield whole('profile.json', profile);
  for (const [name, rows] of Object.entries(lists)) yield whole(`${name}.json`, rows);
  yield whole('wants.json', await wantsToExport(db, userId, config.publicUrl));
  yield whole('watched.json', await watchesToExport(db, userId));
  if (user.isSeller) {
    yield whole('delivery.json', await readDelivery(db, user));
    yield whole('shelf-pause.json', await readShelf(db, user));
    yield whole('first-refusal.json', await readFirstRefusal(db, user));
    yield whole('listing-draft.json', await readDraft(db, user));
    yield whole('stock-files.json', await listStockFiles(db, user));
    yield whole('stock-edits.json', await listStockEdits(db, user));
    yield whole('programs.json', { ...(await listApiKeys(db, user)), ...(await listWebhooks(db, user)) });
  }
  yield list(
    'listings.json',
    batchesOf((page) => listCopiesToExport(db, userId, page)),
  );
  yield list(
    'bookings.json',
    batchesOf((page) => listBookingsToExport(db, userId, page)),
  );
  yield list(
    'checkouts.json',
    batchesOf((page) => listCheckoutsToExport(db, userId, page)),
  );
  yield list(
    'orders.json',
    batchesOf((page) => listOrdersToExport(db, { buyerId: userId }, page)),
  );
  yield list(
    'sold-orders.json',
    batchesOf((page) => listOrdersToExport(db, { sellerId: userId }, page)),
  );
  yield list(
    'notes.json',
    batchesOf((page) => listMessagesToExport(db, userId, page)),
  );
  yield list(
    'reviews.json',
    batchesOf((page) => listReviewsToExport(db, { authorId: userId }, page)),
  );
  yield list(
    'reviews-about-you.json',
    batchesOf((page) => listReviewsToExport(db, { subjectId: userId }, page)),
  );
  yield list(
    'payments.json',
    batchesOf((page) => listPaymentsToExport(db, { buyerId: userId }, page)),
  );
  yield list(
    'sales.json',
    batchesOf((page) => listPaymentsToExport(db, { sellerId: userId }, page)),
  );
  if (user.isSeller) yield whole('payout-account.json', await payoutAccountToExport(db, userId));
  yield list(
    'payouts.json',
    batchesOf((page) => listPayoutRows(db, userId, page)),
  );
  yield whole('cards.json', await listCardsToExport(db, userId));
  yield whole('declarations.json', {
    ...(await declarationToExport(db, userId)),
    identity: await findIdentityOf(db, userId),
  });
  yield whole('seller-page.json', await sellerPageToExport(db, userId));
  yield list('notices.json', noticeBatches(db, userId));
  yield whole('mail-choices.json', await mailChoicesToExport(db, userId));
  yield whole('blocked.json', await listBlocksToExport(db, userId));
  yield whole('reports.json', await listReportsToExport(db, userId));
  yield list(
    'decisions.json',
    batchesOf((page) => listDecisionsToExport(db, userId, page)),
  );
  yield list('audit.json', auditBatches(db, userId));
  yield* photosOf(deps, userId);
}

/**
 * Everything the shop keeps about the viewer, as a zip of JSON files and pictures made while it is sent. 429 after ten
 * in an hour, 503 while others are being made.
 */
export const exportAccount = async (deps: ExportDeps, viewer: Viewer): Promise<Readable> => {
  const user = requireSignedIn(viewer);
  if (underWay >= MOST_UNDER_WAY) {
    throw new AppError('unavailable', 'Others are exporting their data just now; please try again in a moment', {
      retryAfterSeconds: 10,
    });
  }
  underWay += 1;
  try {
    await takeExport(deps.db, user);
    const stream = Readable.from(zipOf(filesOf(deps, user)), { objectMode: false });
    // However it ends: sent, failed, or given up by whoever asked.
    stream.once('close', () => {
      underWay -= 1;
    });
    return stream;
  } catch (error) {
    underWay -= 1;
    throw error;
  }
};
