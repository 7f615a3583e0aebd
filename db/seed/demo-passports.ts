import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { keepPassport } from '#server/catalog/passports/passport.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { isFirstCopy, type DemoCopy } from './demo-goods.ts';

/** What sellers of the demo say of a third of its copies, by title; of a further copy by title and seller. */
export const readDemoPassports = async (): Promise<Readonly<Record<string, PassportDraft>>> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, 'passports.json'), 'utf8'));

/** Under which key it is said of a copy: the first of a title, or a further one. */
export const passportKey = (goods: readonly DemoCopy[], copy: Pick<DemoCopy, 'title' | 'seller'>): string =>
  isFirstCopy(goods, copy) ? copy.title : `${copy.title} / ${copy.seller}`;

/** Keeps it of the copies of `goods` that were just put in. */
export const insertDemoPassports = async (trx: Trx, goods: readonly DemoCopy[]): Promise<void> => {
  const passports = await readDemoPassports();
  const copies = await trx
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(['l.id', 'l.title', 'l.isbn13', 'u.email as seller'])
    .execute();
  for (const { id, isbn13, ...copy } of copies) {
    const said = passports[passportKey(goods, copy)];
    if (said !== undefined) await keepPassport(trx, { id, isbn13 }, said);
  }
};
