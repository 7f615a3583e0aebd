import { askSeller, writeInThread } from '#server/messages/threads.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { findShelfCopy } from '#db/seed/orders/demo-orders.queries.ts';

interface Talk {
  readonly about: string;
  /** What the buyer asks and the seller answers, in turn. */
  readonly said: readonly string[];
}

const TALKS: readonly Talk[] = [
  {
    about: 'Silent Spring',
    said: [
      'Is the spine still tight? I would take it on a long journey.',
      'It is: it opens flat and nothing is loose. There is a small crease at the top of the back.',
      'That is fine with me. I book it tonight.',
    ],
  },
  { about: 'A Pattern Language', said: ['Could you tell me whether the errata slip is still in it?'] },
];

/** Puts what a buyer asks about copies of a seller, answered and not, into a new demo shop. */
export const seedDemoThreads = async (
  db: Db,
  { buyer, seller, reachDays }: { buyer: SignedIn; seller: SignedIn; reachDays: number },
): Promise<void> => {
  for (const { about, said } of TALKS) {
    const copy = await findShelfCopy(db, { seller: seller.email, title: about });
    const [first = '', ...rest] = said;
    const { threadId } = await askSeller(db, buyer, { id: copy.id, text: first, idempotencyKey: undefined });
    for (const [place, text] of rest.entries())
      await writeInThread(db, place % 2 === 0 ? seller : buyer, {
        id: threadId,
        text,
        reachDays,
        idempotencyKey: undefined,
      });
  }
};
