import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Reason } from '#contract/admin/reason.ts';
import { SellsAsName } from '#contract/law/imprint.ts';
import { CopyDelivery, DeliveryExceptionDraft } from '#contract/delivery/delivery-calls.ts';
import { AuthorLink } from './author-links.ts';
import { MAX_TITLE_LENGTH } from './title.ts';
import { Passport, PassportDraft } from './passport/passport.ts';
import { MAX_PHOTOS, CardPhoto, ListingPhoto, PhotoChoice } from './photos.ts';
import {
  CategoryId,
  Dollars,
  DollarsInput,
  Email,
  Id,
  IsoTime,
  PageQuery,
  SortedPageQuery,
  Text,
} from '#contract/scalars.ts';

export const CONDITIONS = ['Excellent', 'Good', 'Fair'] as const;
export const Condition = Type.Union([Type.Literal('Excellent'), Type.Literal('Good'), Type.Literal('Fair')]);
export type Condition = Static<typeof Condition>;

/** Where a copy stands, as anyone sees it: held copies are Reserved. Paused ones are shown to their sellers alone. */
export const ListingStatus = Type.Union([
  Type.Literal('Available'),
  Type.Literal('Reserved'),
  Type.Literal('Paused'),
  Type.Literal('Sold'),
]);
export type ListingStatus = Static<typeof ListingStatus>;

export const Category = Type.Object({ category_id: CategoryId, category_name: Type.String() });
export type Category = Static<typeof Category>;

/**
 * One physical book for sale. Prices in US dollars, `years_of_use` in years. `email` is `""` for everyone but its
 * seller and admins, `phone` for everyone but these and whoever bought the copy: people write to each other through the
 * shop. `image_url` is `""` when a cover is drawn, and `photo` null where the picture is none of the shop's own.
 * `seller_slug` is what the page of the seller is called, `""` for none.
 * Unknown book facts are `""` or null. `original_known`, `years_known`: false where nobody said; `original_price` and
 * `years_of_use` are then 0, and no fact.
 * `waiting`: how many users stand in line behind a reserved copy.
 */
export const Listing = Type.Object({
  _id: Id,
  title: Type.String(),
  authors: Type.String(),
  isbn13: Type.String(),
  published_year: Type.Union([Type.Integer(), Type.Null()]),
  publisher: Type.String(),
  image_url: Type.String(),
  photo: Type.Union([CardPhoto, Type.Null()]),
  Seller: Type.String(),
  seller_slug: Type.String(),
  seller_verified: Type.Boolean(),
  email: Type.String(),
  phone: Type.String(),
  original_price: Dollars,
  original_known: Type.Boolean(),
  resale_price: Dollars,
  years_of_use: Type.Number(),
  years_known: Type.Boolean(),
  location: Type.String(),
  published_date: IsoTime,
  details: Type.String(),
  condition: Condition,
  category_id: CategoryId,
  category_name: Type.String(),
  status: ListingStatus,
  waiting: Type.Integer(),
});
export type Listing = Static<typeof Listing>;

/**
 * A listing by itself, with the pages of its authors, all its photos, how the copy comes to its buyer, what is said of
 * it as data, null where nothing is, the id by which its seller's other copies are searched for, as what its
 * seller sells, what it cost before it was reduced in the last two weeks (US dollars, null where it was not), and
 * whether it is reserved for a reader who asked for the book before it came; lists leave that out.
 */
export const ListingDetail = Type.Object({
  ...Listing.properties,
  author_pages: Type.Array(AuthorLink),
  photos: Type.Array(ListingPhoto),
  delivery: CopyDelivery,
  passport: Type.Union([Passport, Type.Null()]),
  seller_id: Id,
  seller_sells_as: SellsAsName,
  reduced_from: Type.Union([Type.Number(), Type.Null()]),
  offered: Type.Boolean(),
});
export type ListingDetail = Static<typeof ListingDetail>;

/**
 * What a seller sends to list a copy. `email` and `Seller` are compared with the viewer. A caller who sends no
 * `condition` lists as Good, as our form never does. With `photos`, which are the seller's own, `image_url` is left
 * out. `original_known`, `years_known`: false says that nobody knows, and what is sent for `original_price` or
 * `years_of_use` is not looked at. `delivery`: what is different for this copy, by the rules of `PUT
 * /products/:id/delivery`; `fields.delivery` says what is wrong with it. `passport`: what is said of the copy as data;
 * where it names defects, or says that there are none, its grade gives the `condition`. `fields.passport` says what is
 * wrong with it.
 */
export const ListingDraft = Type.Object({
  email: Email,
  Seller: Text(200),
  category_id: Type.String({ maxLength: 64 }),
  category_name: Type.Optional(Text(200)),
  image_url: Type.Optional(Type.String({ maxLength: 5_000 })),
  photos: Type.Optional(Type.Array(PhotoChoice, { minItems: 1, maxItems: MAX_PHOTOS })),
  title: Text(MAX_TITLE_LENGTH),
  original_price: DollarsInput,
  original_known: Type.Optional(Type.Boolean()),
  resale_price: DollarsInput,
  phone: Text(50),
  location: Text(200),
  years_of_use: Type.Union([Type.Number(), Type.String({ maxLength: 10 })]),
  years_known: Type.Optional(Type.Boolean()),
  details: Text(5_000),
  condition: Type.Optional(Condition),
  authors: Type.Optional(Text(500)),
  isbn13: Type.Optional(Text(20)),
  published_year: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 6 })])),
  publisher: Type.Optional(Text(200)),
  delivery: Type.Optional(DeliveryExceptionDraft),
  passport: Type.Optional(Type.Union([PassportDraft, Type.Null()])),
});
export type ListingDraft = Static<typeof ListingDraft>;

/**
 * What a seller changes of an own copy: only the fields that are given. Whose it is never changes. `passport` replaces
 * what was said, null takes it back; a `condition` other than that of the grade is 400.
 */
export const ListingEdit = Type.Partial(Type.Omit(ListingDraft, ['email', 'Seller', 'category_name', 'delivery']));
export type ListingEdit = Static<typeof ListingEdit>;

export const listCategories = endpoint({
  method: 'GET',
  path: '/categoryName',
  summary: 'All categories, by name',
  access: 'anyone',
  status: 200,
  answer: Type.Array(Category),
  personal: false,
});

/** 409 `already_exists` with `fields` when the id or the name is taken. At most 10 a day for a seller. */
export const addCategory = endpoint({
  method: 'POST',
  path: '/categoryName',
  summary: 'Adds a category',
  access: 'seller or admin',
  body: Type.Object({ category_id: Type.String({ maxLength: 200 }), category_name: Text(100) }),
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean() }),
  refused: { acknowledged: false },
  personal: true,
});

/** Newest first, sold copies left out, paged. */
export const listListings = endpoint({
  method: 'GET',
  path: '/categories',
  summary: 'All listings, newest first',
  access: 'anyone',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Listing),
  personal: false,
});

/** As `listListings`, for one category; an unknown category is 404. */
export const listCategoryListings = endpoint({
  method: 'GET',
  path: '/category/:id',
  summary: 'Listings of one category, newest first',
  access: 'anyone',
  params: Type.Object({ id: CategoryId }),
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Listing),
  personal: false,
});

export const readListing = endpoint({
  method: 'GET',
  path: '/categories/:id',
  summary: 'One listing',
  access: 'anyone',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: ListingDetail,
  refused: { _id: null },
  personal: false,
});

/** `held`: an admin looks at it before it is on the shelf. */
export const offerListing = endpoint({
  method: 'POST',
  path: '/categories',
  summary: 'Lists a copy for sale',
  access: 'seller',
  scope: 'stock:write',
  body: ListingDraft,
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean(), insertedId: Id, held: Type.Optional(Type.Literal(true)) }),
  refused: { acknowledged: false, insertedId: null },
  personal: true,
});

/**
 * The rules of `offerListing`, for the fields that are given. 409 `copy_locked` while the copy is held or once it is
 * sold; another's listing is 404. `modifiedCount` is 0 when it is so already.
 */
export const editListing = endpoint({
  method: 'PATCH',
  path: '/categories/:id',
  summary: 'Changes an own copy that nobody holds',
  access: 'its seller',
  scope: 'stock:write',
  params: Type.Object({ id: Id }),
  body: ListingEdit,
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * 409 `copy_locked` while the copy is held or once it is sold; another's listing, or one deleted before, is 404. What
 * an admin takes down of somebody else is told to its seller by mail, with the reason where one is given.
 */
export const deleteListing = endpoint({
  method: 'DELETE',
  path: '/categories/:id',
  summary: 'Takes a copy that nobody holds out of the shop',
  access: 'its seller, admin',
  scope: 'stock:write',
  params: Type.Object({ id: Id }),
  body: Type.Object({ reason: Type.Optional(Reason) }),
  optionalBody: true,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/** The orders of a seller's own listings; a title's begins with what it begins with, whatever its case and accents. */
export const MyListingsSort = Type.Union([
  Type.Literal('newest'),
  Type.Literal('title-up'),
  Type.Literal('title-down'),
  Type.Literal('price-up'),
  Type.Literal('price-down'),
]);
export type MyListingsSort = Static<typeof MyListingsSort>;

/** The seller's own listings with their status, newest first unless `sort` says otherwise, sold ones too. */
export const listMyListings = endpoint({
  method: 'GET',
  path: '/categories/my_products',
  summary: 'Own listings',
  access: 'that seller',
  query: Type.Object({ email: Email, sort: Type.Optional(MyListingsSort), ...SortedPageQuery }),
  status: 200,
  answer: Type.Array(Listing),
  personal: true,
});

/** The true number of copies that can be found (available or reserved). */
export const countListings = endpoint({
  method: 'GET',
  path: '/categories/count',
  summary: 'How many copies are for sale',
  access: 'anyone',
  status: 200,
  answer: Type.Object({ count: Type.Integer() }),
  refused: { count: 0 },
  personal: false,
});
