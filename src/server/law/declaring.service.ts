import { declarationProblems, NO_IMPRINT, type Declaration, type DeclarationInput } from '#contract/law/declaration.ts';
import type { Imprint } from '#contract/law/imprint.ts';
import type { SellsAs } from '#contract/law/withdrawal.ts';
import { oneLine } from '#contract/text.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  findDeclaration,
  hasAccepted,
  insertAcceptance,
  listAcceptances,
  upsertDeclaration,
} from './declarations.queries.ts';

export {
  deleteDeclaration as forgetDeclaration,
  insertAcceptance as acceptTerms,
  putInForce,
} from './declarations.queries.ts';

const declarationOf = async (db: Db, userId: string, terms: string): Promise<Declaration> => {
  const found = await findDeclaration(db, userId);
  const accepted = await hasAccepted(db, userId, terms);
  if (found === undefined) return { kind: '', ...NO_IMPRINT, declaredAt: null, terms, accepted };
  return { ...found, declaredAt: found.declaredAt.toISOString(), terms, accepted };
};

/** As what the viewer sells; `terms` is the version in force. */
export const readDeclaration = (db: Db, viewer: Viewer, terms: string): Promise<Declaration> =>
  declarationOf(db, requireSeller(viewer).userId, terms);

const imprintOf = (input: DeclarationInput): Imprint =>
  input.kind === 'private'
    ? NO_IMPRINT
    : {
        business: oneLine(input.business ?? ''),
        address: (input.address ?? '').replaceAll('\r\n', '\n').trim(),
        country: (input.country ?? '').trim(),
        email: (input.email ?? '').trim(),
        phone: oneLine(input.phone ?? ''),
        register: oneLine(input.register ?? ''),
        taxNumber: oneLine(input.taxNumber ?? ''),
      };

/** Writes down as what the viewer sells; 400 with `fields`. Orders that are paid stay as they were. */
export const declare = async (
  db: Db,
  viewer: Viewer,
  { input, terms }: { input: DeclarationInput; terms: string },
): Promise<Declaration> => {
  const { userId } = requireSeller(viewer);
  const problems = declarationProblems(input);
  if (input.terms.trim() !== terms) problems['adult'] ??= 'The terms have changed: please read them, and try again';
  if (Object.keys(problems).length > 0) throw badFields(problems);
  return db.transaction().execute(async (trx) => {
    const before = await findDeclaration(trx, userId);
    const imprint = imprintOf(input);
    await upsertDeclaration(trx, userId, { kind: input.kind, ...imprint });
    await insertAcceptance(trx, userId, 'seller');
    if (before?.kind !== input.kind) {
      await recordAudit(trx, {
        actorId: userId,
        action: 'seller declared',
        subject: { kind: 'user', id: userId },
        // Whose business it is called goes when they leave; the audit stays.
        details: { as: input.kind },
      });
    }
    return declarationOf(trx, userId, terms);
  });
};

/** As what somebody sells, and a trader's imprint, as everybody sees it. */
export const imprintOfSeller = async (
  db: Db,
  userId: string,
): Promise<{ sellsAs: SellsAs; imprint: Imprint | null }> => {
  const found = await findDeclaration(db, userId);
  if (found === undefined) return { sellsAs: '', imprint: null };
  const { kind, declaredAt: _, ...imprint } = found;
  return { sellsAs: kind, imprint: kind === 'trader' ? imprint : null };
};

/** Where buyers who withdraw send a trader's book, in lines; undefined of who is none. */
export const returnAddressOf = async (db: Db, userId: string): Promise<string | undefined> => {
  const { imprint } = await imprintOfSeller(db, userId);
  return imprint === null ? undefined : `${imprint.business}\n${imprint.address}`;
};

/** What somebody said for the law, as their export has it. */
export const declarationToExport = async (db: Db, userId: string) => {
  const [said, accepted] = await Promise.all([findDeclaration(db, userId), listAcceptances(db, userId)]);
  return { sells: said ?? null, accepted };
};
