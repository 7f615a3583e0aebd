import { lastingFindings, settlingFindings } from './checks.ts';
import type { Finding } from './finding.ts';
import type { History } from '#lab/proofs/crowd/history.ts';
import { lastingMailFindings, unsentMail } from './mail-checks.ts';
import { readOutside, type Outside } from './outside.ts';
import type { Cast } from '#lab/proofs/crowd/people.ts';
import { tryForbidden } from './refusals.ts';
import { readShopBooks, type ShopBooks } from './shop-books.ts';
import type { ShopClient } from '#lab/proofs/crowd/shop-client.ts';
import type { Stage } from '#lab/proofs/stage.ts';

/** Where the books are. */
export interface CheckedStage extends Pick<Stage, 'deaths' | 'mailbox' | 'provider'> {
  /** As the owner of the tables. */
  readonly database: { readonly url: string };
}

export interface CheckDeps {
  readonly stage: CheckedStage;
  readonly shop: ShopClient;
  readonly history: History;
  readonly cast: Cast;
  /** Whether mail whose process died over it is waited for: a minute. */
  readonly waitsForLeases: boolean;
  readonly say: (line: string) => void;
}

/** R of `lab/docs/proof.md`: money that was taken is a paid booking this much later at the latest. */
const SETTLE_LIMIT_MS = 60_000;
/** A mail whose process died over it is taken over after a minute; for so long nothing may seem to happen. */
const MAIL_LIMIT_MS = 90_000;
const LOOK_AGAIN_MS = 1_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What the shop has at one moment, between two readings of what others have. */
interface Books {
  readonly before: Outside;
  readonly shop: ShopBooks;
  readonly after: Outside;
}

const readBooks = async (stage: CheckedStage): Promise<Books> => {
  const before = await readOutside(stage);
  const shop = await readShopBooks(stage.database.url);
  return { before, shop, after: await readOutside(stage) };
};

const moneyAt = ({ provider }: Outside): string =>
  JSON.stringify([
    provider.charges.map((charge) => charge.amount_refunded),
    provider.disputes.map((d) => d.status),
    provider.transfers.map((transfer) => transfer.amount_reversed),
  ]);

/**
 * The books of both sides. A violation that time cannot mend is one at first sight. What is still on its way is waited
 * for: it is a violation when its time is over.
 */
export const check = async (deps: CheckDeps): Promise<Finding[]> => {
  const { stage, history, cast, say } = deps;
  const began = performance.now();
  let [left, lastSent] = [Number.POSITIVE_INFINITY, began];
  for (;;) {
    const { before, shop, after } = await readBooks(stage);
    const waited = performance.now() - began;
    const lasting = [
      ...lastingFindings({
        shop,
        before: before.provider,
        after: after.provider,
        history,
        copies: [...cast.copies, ...cast.theirCopies],
      }),
      ...lastingMailFindings({ shop, before: before.deliveries, after: after.deliveries, deaths: stage.deaths() }),
    ];
    const settling = settlingFindings({ shop, provider: before.provider, history });
    const unsent = unsentMail(shop, { leased: deps.waitsForLeases });
    // Sums can only be compared where nothing moved while they were read.
    const isMoving = moneyAt(before) !== moneyAt(after);
    const waiting = shop.mails.filter(({ sent }) => !sent).length;
    if (waiting < left) [left, lastSent] = [waiting, performance.now()];
    const mayWait =
      ((settling.length > 0 || isMoving) && waited < SETTLE_LIMIT_MS) ||
      (unsent.length > 0 && performance.now() - lastSent < MAIL_LIMIT_MS);
    if (lasting.length === 0 && mayWait) {
      await sleep(LOOK_AGAIN_MS);
      continue;
    }
    const forbidden = await tryForbidden(stage.database.url);
    say(`Checked: ${tell(before, shop)}; settled after ${(waited / 1000).toFixed(1)} s.`);
    if (forbidden.untried.length > 0) say(`Not tried for want of a case: ${forbidden.untried.join('; ')}.`);
    return [
      ...lasting,
      // Where a look was enough, what still had time is not judged.
      ...(mayWait ? [] : [...settling, ...unsent]),
      ...forbidden.findings,
      ...findDefects(history),
      ...(await askTheShop(deps)),
    ];
  }
};

const tell = ({ provider, deliveries }: Outside, shop: ShopBooks): string => {
  const paid = provider.intents.filter(({ status }) => status === 'succeeded').length;
  const again = deliveries.length - new Set(deliveries.map(({ messageId }) => messageId)).size;
  return (
    `${provider.intents.length} intents, ${paid} of them paid, ${shop.payments.length} payments, ` +
    `${provider.refunds.length} refunds, ${provider.disputes.length} disputes, ${shop.events.length} events, ` +
    `${provider.transfers.length} transfers, ${shop.mails.length} mails (${again} arrivals of one that had arrived before)`
  );
};

/** An answer 500 is a defect, whatever was killed around it. */
const findDefects = (history: History): Finding[] => {
  const defects = history.entries.filter(({ about }) => about['status'] === 500);
  const first = defects.slice(0, 3).map(({ deed }) => deed);
  return defects.length === 0
    ? []
    : [{ rule: 'no 5xx', says: `${defects.length} answers were 500: ${first.join(', ')}` }];
};

/** What the shop itself says of its books: it must see what we see. */
const askTheShop = async ({ shop, cast }: CheckDeps): Promise<Finding[]> => {
  const { status, body } = await shop.call(cast.admin, 'GET', '/money');
  if (status === 200 && body['violations'] === 0) return [];
  return [{ rule: 'own view', says: `the shop's own check says: ${status} ${JSON.stringify(body['invariants'])}` }];
};
