import { oneLine } from '#contract/text.ts';
import type { CategoryUse } from '#contract/catalog/category-admin.ts';
import { categoryNameProblems } from '#contract/catalog/listing-rules.ts';
import { recordAudit, type Deed } from '#server/audit/audit.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { isDuplicate, type Db, type Trx } from '#server/platform/postgres/db.ts';
import { badFields, notFound, AppError } from '#server/platform/errors.ts';
import { adminRefusal, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { mayManageCategories } from './category.policy.ts';
import {
  allowSeconds,
  countCopiesOf,
  listCategoryUseRows,
  lockCategories,
  moveCopies,
  removeCategory,
  updateCategoryName,
} from '#server/catalog/listings/managing.queries.ts';

/** Long enough to move a hundred thousand copies, shorter than anybody waits for an answer. */
const MERGE_SECONDS = 12;

const requireManager = (viewer: Viewer): void => {
  const user = requireSignedIn(viewer);
  if (!mayManageCategories(user)) throw adminRefusal(user, 'Categories are managed by admins');
};

/** What becomes of everybody's categories is written down, with what was there before. */
const record = (
  trx: Trx,
  actorId: string,
  action: Deed['action'],
  id: string,
  details: Deed['details'],
): Promise<void> => recordAudit(trx, { actorId, action, subject: { kind: 'category', id }, details: details ?? {} });

/** The category, locked; 404 when there is none. */
const lockOne = async (trx: Trx, id: string): Promise<{ id: string; name: string }> => {
  const [category] = await lockCategories(trx, [id]);
  if (category === undefined) throw notFound('There is no such category');
  return category;
};

/** All categories with how many copies each has, for admins. */
export const listCategoryUse = (db: Db, viewer: Viewer): Promise<CategoryUse[]> => {
  requireManager(viewer);
  return listCategoryUseRows(db);
};

/**
 * Gives a category another name; 409 with `fields` when another has it, whatever its case. Answers 0 when it was so
 * already.
 */
export const renameCategory = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; category_name: string },
): Promise<{ modifiedCount: number }> => {
  requireManager(viewer);
  const problems = categoryNameProblems(input);
  if (Object.keys(problems).length > 0) throw badFields(problems);
  const name = oneLine(input.category_name);
  try {
    return await db.transaction().execute(async (trx) => {
      const actorId = await lockActingAdmin(trx, viewer);
      const category = await lockOne(trx, input.id);
      if (category.name === name) return { modifiedCount: 0 };
      await updateCategoryName(trx, input.id, name);
      await record(trx, actorId, 'category renamed', input.id, { from: category.name, to: name });
      return { modifiedCount: 1 };
    });
  } catch (error) {
    if (!isDuplicate(error, 'categories_name_key')) throw error;
    const fields = { category_name: 'A category with this name exists' };
    throw new AppError('already_exists', 'This category exists already', { fields });
  }
};

/**
 * Moves every copy of a category into another and deletes it, in one transaction. Answers how many copies were moved.
 */
export const mergeCategory = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; into: string },
): Promise<{ modifiedCount: number; deletedCount: number }> => {
  requireManager(viewer);
  if (input.id === input.into) throw badFields({ into: 'Choose another category' });
  return db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const found = await lockCategories(trx, [input.id, input.into]);
    if (!found.some(({ id }) => id === input.id)) throw notFound('There is no such category');
    if (!found.some(({ id }) => id === input.into)) throw badFields({ into: 'There is no such category' });
    await allowSeconds(trx, MERGE_SECONDS);
    const modifiedCount = await moveCopies(trx, input.id, input.into);
    await removeCategory(trx, input.id);
    await record(trx, actorId, 'category merged', input.id, { into: input.into, copies: modifiedCount });
    return { modifiedCount, deletedCount: 1 };
  });
};

/** Deletes a category that no copy belongs to; 409 `not_empty` else, sold and deleted copies counted. */
export const deleteCategory = async (db: Db, viewer: Viewer, id: string): Promise<{ deletedCount: number }> => {
  requireManager(viewer);
  return db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const { name } = await lockOne(trx, id);
    const copies = await countCopiesOf(trx, id);
    if (copies > 0) {
      const books = copies === 1 ? '1 book' : `${copies} books`;
      throw new AppError(
        'not_empty',
        `This category still has ${books}, sold and deleted ones counted; merge it instead`,
      );
    }
    await removeCategory(trx, id);
    await record(trx, actorId, 'category deleted', id, { name });
    return { deletedCount: 1 };
  });
};
