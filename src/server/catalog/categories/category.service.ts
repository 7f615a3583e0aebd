import type { Category } from '#contract/catalog/catalog.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { categoryProblems } from '#contract/catalog/listing-rules.ts';
import { oneLine } from '#contract/text.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields, forbidden, AppError } from '#server/platform/errors.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { isLimited, mayAddCategory } from './category.policy.ts';
import {
  countAdditionsToday,
  findSameCategories,
  insertCategory,
  listCategoryRows,
  lockAdditionsOf,
} from './category.queries.ts';

/** Everybody browses by the same categories; more than this a day is no longer shelving. */
export const MAX_CATEGORIES_A_DAY = 10;
const DAY_SECONDS = 86_400;

/** All categories, by name. */
export const listCategories = (db: Db): Promise<Category[]> => listCategoryRows(db);

/**
 * Adds a category for a seller or an admin. 400 with `fields`; 409 `already_exists` when the id or the name (whatever
 * its case) is taken; 429 for a seller's eleventh within a day.
 */
export const addCategory = async (
  db: Db,
  viewer: Viewer,
  draft: { category_id: string; category_name: string },
): Promise<{ acknowledged: boolean }> => {
  const user = requireSignedIn(viewer);
  if (!mayAddCategory(user)) throw forbidden('Categories are added by sellers');
  const problems = categoryProblems(draft);
  if (Object.keys(problems).length > 0) throw badFields(problems);
  const category = { id: draft.category_id, name: oneLine(draft.category_name) };
  return db.transaction().execute(async (trx) => {
    await lockAdditionsOf(trx, user.userId);
    const taken = takenFields(category, await findSameCategories(trx, category));
    if (taken !== undefined) throw alreadyExists(taken);
    if (isLimited(user) && (await countAdditionsToday(trx, user.userId)) >= MAX_CATEGORIES_A_DAY) {
      throw new AppError('too_many', `You can add ${MAX_CATEGORIES_A_DAY} categories a day; please go on tomorrow`, {
        retryAfterSeconds: DAY_SECONDS,
      });
    }
    // Somebody else may have added it since we looked; the unique indexes decide.
    if (!(await insertCategory(trx, { ...category, createdBy: user.userId }))) {
      throw alreadyExists(takenFields(category, await findSameCategories(trx, category)));
    }
    return { acknowledged: true };
  });
};

const takenFields = (
  category: { id: string; name: string },
  same: readonly { id: string; name: string }[],
): FieldErrors | undefined => {
  if (same.length === 0) return undefined;
  const fields: FieldErrors = {};
  if (same.some(({ id }) => id === category.id)) fields.category_id = 'A category with this id exists';
  if (same.some(({ name }) => name.toLowerCase() === category.name.toLowerCase())) {
    fields.category_name = 'A category with this name exists';
  }
  return fields;
};

const alreadyExists = (fields: FieldErrors | undefined): AppError =>
  new AppError('already_exists', 'This category exists already', fields && { fields });
