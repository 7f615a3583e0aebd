import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime, PageQuery } from '#contract/scalars.ts';

/** For so many days after an order has closed its two sides may review each other. */
export const REVIEW_DAYS = 14;
/** After so many days a review is shown although the other side has not written. */
export const REVIEW_SHOWN_DAYS = 7;
export const MAX_REVIEW_LENGTH = 2_000;
export const MAX_REPLY_LENGTH = 1_000;

/** What a buyer says beside stars and words, in the order in which it is asked. */
export const REVIEW_FACTS = [
  { name: 'asDescribed', question: 'Was it as described?', yes: 'As described', no: 'Not as described' },
  { name: 'wellPacked', question: 'Was it well packed?', yes: 'Well packed', no: 'Badly packed' },
  { name: 'inTime', question: 'Did it come in time?', yes: 'In time', no: 'Late' },
] as const;
export type ReviewFact = (typeof REVIEW_FACTS)[number]['name'];

const Stars = Type.Integer({ minimum: 1, maximum: 5 });
const Fact = Type.Union([Type.Boolean(), Type.Null()]);
const By = Type.Union([Type.Literal('buyer'), Type.Literal('seller')]);

/**
 * A review as everybody sees it. `author` is a first name and a letter, `""` once they have left. `at` is when it was
 * shown. Facts are null where nothing was said, and of buyers. `reply` is of whom it is about, `""` for none.
 */
export const Review = Type.Object({
  _id: Id,
  by: By,
  author: Type.String(),
  title: Type.String(),
  stars: Stars,
  asDescribed: Fact,
  wellPacked: Fact,
  inTime: Fact,
  words: Type.String(),
  at: IsoTime,
  reply: Type.String(),
});
export type Review = Static<typeof Review>;

/** A review that its author sees, shown to others or not. `isHeld`: an admin is to look at it first. */
const OwnReview = Type.Object({
  ...Type.Omit(Review, ['author', 'title']).properties,
  isShown: Type.Boolean(),
  isHeld: Type.Boolean(),
  isRemoved: Type.Boolean(),
});
export type OwnReview = Static<typeof OwnReview>;

/**
 * What the two sides of an order say of each other, as one of them or an admin sees it. `mine` is null to admins;
 * `theirs` only once it is shown. `writeBy`: until when the viewer may write or change theirs; null where they may not.
 * `mayReply`: to theirs, once. `isReplyHeld`: the viewer's reply waits for an admin.
 */
export const OrderReviews = Type.Object({
  mine: Type.Union([OwnReview, Type.Null()]),
  theirs: Type.Union([Review, Type.Null()]),
  writeBy: Type.Union([IsoTime, Type.Null()]),
  mayReply: Type.Boolean(),
  isReplyHeld: Type.Boolean(),
});
export type OrderReviews = Static<typeof OrderReviews>;

export const readOrderReviews = endpoint({
  method: 'GET',
  path: '/orders/:id/reviews',
  summary: 'What buyer and seller of an order say of each other',
  access: 'its buyer, its seller, admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: OrderReviews,
  refused: { mine: null, theirs: null },
  personal: true,
});

/** Facts are of buyers; a seller's are not kept. */
export const ReviewDraft = Type.Object({
  stars: Stars,
  asDescribed: Type.Optional(Fact),
  wellPacked: Type.Optional(Fact),
  inTime: Type.Optional(Fact),
  words: Type.String({ maxLength: MAX_REVIEW_LENGTH }),
});
export type ReviewDraft = Static<typeof ReviewDraft>;

/**
 * 409 `review_closed` before the order has closed, more than 14 days after it, and once it is shown. `state` is `held`
 * where it names a link or a contact: an admin looks at it first.
 */
export const writeReview = endpoint({
  method: 'PUT',
  path: '/orders/:id/review',
  summary: 'Reviews the other side of a closed order, or changes that until it is shown',
  access: 'its buyer, its seller',
  params: Type.Object({ id: Id }),
  body: ReviewDraft,
  status: 200,
  answer: Type.Object({ insertedId: Id, state: Type.String() }),
  refused: { insertedId: null },
  personal: true,
});

/** 409 `review_closed` where there is a reply. `state` is `held` where it names a link or a contact. */
export const replyToReview = endpoint({
  method: 'POST',
  path: '/reviews/:id/reply',
  summary: 'Replies to a review about oneself, once',
  access: 'whom it is about',
  params: Type.Object({ id: Id }),
  body: Type.Object({ text: Type.String({ minLength: 1, maxLength: MAX_REPLY_LENGTH }) }),
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean(), state: Type.String() }),
  refused: { acknowledged: false },
  personal: true,
});

/** A review or a reply that waits for an admin: `what` says which, `text` what it says. */
export const HeldReview = Type.Object({
  _id: Id,
  what: Type.Union([Type.Literal('review'), Type.Literal('reply')]),
  orderId: Id,
  author: Type.String(),
  about: Type.String(),
  stars: Stars,
  text: Type.String(),
  at: IsoTime,
});
export type HeldReview = Static<typeof HeldReview>;

export const listHeldReviews = endpoint({
  method: 'GET',
  path: '/reviews/held',
  summary: 'Reviews and replies that name a link or a contact, the oldest first',
  access: 'admin',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(HeldReview),
  personal: true,
});

/** `allow` shows it in its time, else it is removed; its author is told. 409 `review_closed` where it does not wait. */
export const decideHeldReview = endpoint({
  method: 'POST',
  path: '/reviews/:id/decision',
  summary: 'Lets a held review or reply be shown, or removes it',
  access: 'admin',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    what: Type.Union([Type.Literal('review'), Type.Literal('reply')]),
    allow: Type.Boolean(),
    reason: Type.String({ maxLength: 500 }),
  }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});
