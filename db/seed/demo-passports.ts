import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { keepPassport } from '#server/catalog/passports/passport.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';

/** What sellers of the demo say of a third of its copies, by title. */
export const readDemoPassports = async (): Promise<Readonly<Record<string, PassportDraft>>> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, 'passports.json'), 'utf8'));

/** Keeps it of the copies that were just put in. */
export const insertDemoPassports = async (trx: Trx): Promise<void> => {
  const passports = await readDemoPassports();
  const copies = await trx
    .selectFrom('listings')
    .select(['id', 'title', 'isbn13'])
    .where('title', 'in', Object.keys(passports))
    .execute();
  for (const { id, isbn13, title } of copies) await keepPassport(trx, { id, isbn13 }, passports[title]);
};
