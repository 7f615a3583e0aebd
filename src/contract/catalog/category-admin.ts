import { Type, type Static } from 'typebox';
import { Category } from './catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { CategoryId, Text } from '#contract/scalars.ts';

const CategoryParams = Type.Object({ id: CategoryId });

/** A category and how many copies it has: `listings` counts sold and deleted ones too, `on_sale` those in the shop. */
export const CategoryUse = Type.Object({
  ...Category.properties,
  listings: Type.Integer(),
  on_sale: Type.Integer(),
});
export type CategoryUse = Static<typeof CategoryUse>;

export const listCategoryUse = endpoint({
  method: 'GET',
  path: '/categoryName/use',
  summary: 'All categories, by name, with how many copies each has',
  access: 'admin',
  status: 200,
  answer: Type.Array(CategoryUse),
  personal: true,
});

/**
 * 409 `already_exists` with `fields` when another category has the name; `modifiedCount` is 0 when it is so already.
 */
export const renameCategory = endpoint({
  method: 'PATCH',
  path: '/categoryName/:id',
  summary: 'Gives a category another name',
  access: 'admin',
  params: CategoryParams,
  body: Type.Object({ category_name: Text(100) }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});

/** Moves every copy, sold and deleted ones too, and deletes the category. `modifiedCount` is how many were moved. */
export const mergeCategory = endpoint({
  method: 'POST',
  path: '/categoryName/:id/merge',
  summary: 'Moves all copies of a category into another and deletes it',
  access: 'admin',
  params: CategoryParams,
  body: Type.Object({ into: Type.String({ maxLength: 64 }) }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer(), deletedCount: Type.Integer() }),
  refused: { modifiedCount: 0, deletedCount: 0 },
  personal: true,
});

/** 409 `not_empty` while any copy, be it sold or deleted, belongs to it. */
export const deleteCategory = endpoint({
  method: 'DELETE',
  path: '/categoryName/:id',
  summary: 'Deletes a category that has no copies',
  access: 'admin',
  params: CategoryParams,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});
