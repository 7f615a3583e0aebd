import { Type, type Static } from 'typebox';
import { leadsOutside } from '#contract/contacts.ts';
import { CopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { Imprint, SellsAsName } from '#contract/law/imprint.ts';
import { Review } from '#contract/orders/reviews.ts';
import { Id, IsoTime, PageQuery } from '#contract/scalars.ts';

export const MAX_ABOUT_LENGTH = 1_000;
export const MAX_PLACE_LENGTH = 100;

const Slug = Type.String({ minLength: 1, maxLength: 100 });

/** What became of a seller's orders: how many, and of how many which is true (`postedInTime` of `posted`). */
const Record = Type.Object({
  orders: Type.Integer(),
  posted: Type.Integer(),
  postedInTime: Type.Integer(),
  cancelled: Type.Integer(),
  upheld: Type.Integer(),
  asked: Type.Integer(),
  answered: Type.Integer(),
});

/** How many reviews there are, their stars together, and what buyers said of the parcel: of how many who said it. */
const ReviewSums = Type.Object({
  reviews: Type.Integer(),
  stars: Type.Integer(),
  asDescribed: Type.Integer(),
  asDescribedSaid: Type.Integer(),
  wellPacked: Type.Integer(),
  wellPackedSaid: Type.Integer(),
  inTime: Type.Integer(),
  inTimeSaid: Type.Integer(),
});

/**
 * Who sells, for everybody: no phone, no street, but of a business what the law has it show, its `imprint`. `sellsAs`:
 * what they declared. `since`: the month in which they joined. `delivery` is that of all their copies, without a place.
 * `away`: their shelf is paused, until the day on which it comes back, null where they did not say.
 */
export const SellerPage = Type.Object({
  _id: Id,
  slug: Slug,
  name: Type.String(),
  verified: Type.Boolean(),
  since: IsoTime,
  about: Type.String(),
  place: Type.String(),
  sellsAs: SellsAsName,
  imprint: Type.Union([Imprint, Type.Null()]),
  delivery: Type.Omit(CopyDelivery, ['pickupPlace']),
  away: Type.Union([Type.Object({ until: Type.Union([Type.String(), Type.Null()]) }), Type.Null()]),
  record: Record,
  sums: ReviewSums,
});
export type SellerPage = Static<typeof SellerPage>;

export const readSellerPage = endpoint({
  method: 'GET',
  path: '/sellers/:slug',
  summary: 'Who a seller is: what they say, how they deliver, and what became of their orders',
  access: 'anyone',
  params: Type.Object({ slug: Slug }),
  status: 200,
  answer: SellerPage,
  refused: { _id: null },
  personal: false,
});

export const listSellerReviews = endpoint({
  method: 'GET',
  path: '/sellers/:slug/reviews',
  summary: 'What is said of a seller, the newest first',
  access: 'anyone',
  params: Type.Object({ slug: Slug }),
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Review),
  personal: false,
});

/** What a seller says of themselves, and the address of their page. */
export const OwnSellerPage = Type.Object({ slug: Slug, about: Type.String(), place: Type.String() });
export type OwnSellerPage = Static<typeof OwnSellerPage>;

export const readOwnSellerPage = endpoint({
  method: 'GET',
  path: '/seller-page',
  summary: 'What the viewer says on their own page',
  access: 'seller',
  status: 200,
  answer: OwnSellerPage,
  refused: { slug: null },
  personal: true,
});

/** What is wrong with what a seller says, by field. */
export const sellerPageProblems = ({ about, place }: { about: string; place: string }): FieldErrors => ({
  ...(leadsOutside(about) && {
    about: 'Leave links, addresses and phone numbers out: buyers reach you through the shop',
  }),
  ...(leadsOutside(place) && { place: 'Give a town, without links or numbers' }),
});

/** 400 with `fields` for links and contacts. `renew`: the address of the page is made anew, out of today's name. */
export const saveSellerPage = endpoint({
  method: 'PUT',
  path: '/seller-page',
  summary: 'Says something of oneself on one’s own page',
  access: 'seller',
  body: Type.Object({
    about: Type.String({ maxLength: MAX_ABOUT_LENGTH }),
    place: Type.String({ maxLength: MAX_PLACE_LENGTH }),
    renew: Type.Optional(Type.Boolean()),
  }),
  status: 200,
  answer: OwnSellerPage,
  refused: { slug: null },
  personal: true,
});

const Follows = Type.Object({ follows: Type.Boolean() });

export const readFollow = endpoint({
  method: 'GET',
  path: '/sellers/:slug/follow',
  summary: 'Whether the viewer follows a seller',
  access: 'signed in',
  params: Type.Object({ slug: Slug }),
  status: 200,
  answer: Follows,
  refused: { follows: false },
  personal: true,
});

/** 400 for oneself. The same answer when repeated. */
export const followSeller = endpoint({
  method: 'PUT',
  path: '/sellers/:slug/follow',
  summary: 'Follows a seller: the digest of a day says what books they added',
  access: 'signed in',
  params: Type.Object({ slug: Slug }),
  status: 200,
  answer: Follows,
  refused: { follows: false },
  personal: true,
});

export const unfollowSeller = endpoint({
  method: 'DELETE',
  path: '/sellers/:slug/follow',
  summary: 'Follows a seller no more',
  access: 'signed in',
  params: Type.Object({ slug: Slug }),
  status: 200,
  answer: Follows,
  refused: { follows: true },
  personal: true,
});

/** A seller whom the viewer follows. */
export const Followed = Type.Object({ slug: Slug, name: Type.String(), since: IsoTime });
export type Followed = Static<typeof Followed>;

export const listFollowed = endpoint({
  method: 'GET',
  path: '/follows',
  summary: 'The sellers whom the viewer follows, by name',
  access: 'signed in',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Followed),
  personal: true,
});
