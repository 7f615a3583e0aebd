import { Type, type Static } from 'typebox';
import { Condition } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, DollarsInput, Id, IsoTime, SecretToken, Text } from '#contract/scalars.ts';

/** Which defects a want can rule out. */
export const RULED_OUT = [
  ['writing', 'Writing or notes'],
  ['highlighting', 'Highlighting or underlining'],
  ['ex-library', 'Library marks'],
  ['owner-mark', 'An owner’s name or stamp'],
  ['water', 'Water damage'],
  ['smell', 'A smell'],
  ['pages-missing', 'Missing pages'],
] as const;
export type RuledOut = (typeof RULED_OUT)[number][0];
const RuledOut = Type.Unsafe<RuledOut>(Type.Union(RULED_OUT.map(([id]) => Type.Literal(id))));

const Km = Type.Union([Type.Literal(10), Type.Literal(25), Type.Literal(100)]);

/**
 * What a reader looks for: an ISBN, or a title with or without an author. `max_price` in US dollars, at most; `near`:
 * a place, as a search takes it, and `km` round it; `without`: only copies whose seller listed defects, and none of
 * these.
 */
export const WantDraft = Type.Object({
  isbn13: Type.Optional(Text(40)),
  title: Type.Optional(Text(750)),
  author: Type.Optional(Text(500)),
  max_price: Type.Optional(DollarsInput),
  condition: Type.Optional(Condition),
  near: Type.Optional(Text(100)),
  km: Type.Optional(Km),
  without: Type.Optional(Type.Array(RuledOut, { maxItems: RULED_OUT.length, uniqueItems: true })),
});
export type WantDraft = Static<typeof WantDraft>;

const StateOfWant = Type.Union([
  Type.Literal('active'),
  Type.Literal('offered'),
  Type.Literal('bought'),
  Type.Literal('paused'),
  Type.Literal('expired'),
]);

/** A copy that is held for the reader of a want until `until`, by the booking `bookingId`. */
export const WantOffer = Type.Object({
  id: Id,
  listingId: Id,
  bookingId: Id,
  title: Type.String(),
  image_url: Type.String(),
  price: Dollars,
  condition: Condition,
  grade: Type.Union([Type.String(), Type.Null()]),
  location: Type.String(),
  until: IsoTime,
});
export type WantOffer = Static<typeof WantOffer>;

/**
 * `title` is that of the ISBN where none was typed, `""` where nobody knows it. `max_price`, `condition`: null for any.
 */
export const Want = Type.Object({
  id: Id,
  isbn13: Type.String(),
  title: Type.String(),
  author: Type.String(),
  max_price: Type.Union([Dollars, Type.Null()]),
  condition: Type.Union([Condition, Type.Null()]),
  near: Type.String(),
  km: Km,
  without: Type.Array(RuledOut),
  state: StateOfWant,
  since: IsoTime,
  endsAt: IsoTime,
  offers: Type.Integer({ description: 'how many copies were offered so far' }),
  offer: Type.Union([WantOffer, Type.Null()]),
  feed: Type.String({ description: 'the address of a feed of what is on the shelf, for whoever has it' }),
});
export type Want = Static<typeof Want>;

const params = Type.Object({ id: Id });

/** At most 200, so never paged. */
export const listWants = endpoint({
  method: 'GET',
  path: '/wants',
  summary: 'What the reader looks for, the newest first',
  access: 'buyer',
  status: 200,
  answer: Type.Object({ wants: Type.Array(Want) }),
  refused: { wants: [] },
  personal: true,
});

/**
 * Makes a want under an id that the client makes, or changes it: again it is the same answer. 400 with `fields` for one
 * that names no book, 404 where the id is another's, 429 `too_many` for a 201st.
 */
export const putWant = endpoint({
  method: 'PUT',
  path: '/wants/:id',
  summary: 'Makes or changes a want',
  access: 'buyer',
  params,
  body: WantDraft,
  status: 200,
  answer: Want,
  refused: { id: null },
  personal: true,
});

/** `active` goes on with it, or renews it for twelve months; 409 `want_state` for `paused` while a copy is offered. */
export const setWantState = endpoint({
  method: 'PUT',
  path: '/wants/:id/state',
  summary: 'Pauses, resumes or renews a want',
  access: 'its buyer',
  params,
  body: Type.Object({ state: Type.Union([Type.Literal('active'), Type.Literal('paused')]) }),
  status: 200,
  answer: Want,
  refused: { id: null },
  personal: true,
});

/** Whoever had the old address sees nothing there any more. */
export const changeWantFeed = endpoint({
  method: 'POST',
  path: '/wants/:id/feed',
  summary: 'Gives the feed of a want another address',
  access: 'its buyer',
  params,
  status: 200,
  answer: Want,
  refused: { id: null },
  personal: true,
});

/** The newest 50 copies on the shelf that a want may mean (RFC 4287); 404 for an address that is nobody's. */
export const wantFeed = endpoint({
  method: 'GET',
  path: '/feeds/wants/:token',
  summary: 'What is on the shelf of a want as a feed, by its secret address',
  access: 'whoever has its address',
  params: Type.Object({ token: SecretToken }),
  status: 200,
  answer: Type.String(),
  stream: 'application/atom+xml; charset=utf-8',
  personal: true,
});

/** 0 when there is none any more. A copy that is offered stays held until its time is over. */
export const deleteWant = endpoint({
  method: 'DELETE',
  path: '/wants/:id',
  summary: 'Ends a want',
  access: 'its buyer',
  params,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/** Answers the booking that is to be paid for; 409 `hold_lost` after its time, with what became of the copy. */
export const takeOffer = endpoint({
  method: 'POST',
  path: '/wants/offers/:id/take',
  summary: 'Takes a copy that is offered',
  access: 'its buyer',
  params,
  status: 200,
  answer: Type.Object({ bookingId: Id }),
  refused: { bookingId: null },
  personal: true,
});

/** The copy goes to the next reader, or on the shelf. The same answer when repeated. */
export const passOffer = endpoint({
  method: 'POST',
  path: '/wants/offers/:id/pass',
  summary: 'Passes a copy on that is offered',
  access: 'its buyer',
  params,
  status: 200,
  answer: Type.Object({ acknowledged: Type.Boolean() }),
  refused: { acknowledged: false },
  personal: true,
});

/** How many readers want a book and the most that one of them pays; nulls for fewer than three of them. */
export const readDemand = endpoint({
  method: 'GET',
  path: '/wants/demand',
  summary: 'How many readers want a book',
  access: 'seller',
  query: Type.Object({ isbn13: Type.Optional(Text(40)), title: Type.Optional(Text(750)) }),
  status: 200,
  answer: Type.Object({
    readers: Type.Union([Type.Integer(), Type.Null()]),
    most: Type.Union([Dollars, Type.Null()]),
  }),
  refused: { readers: null, most: null },
  personal: true,
});

/** A book that at least three readers want and of which no copy is for sale. */
export const UnfilledWant = Type.Object({
  isbn13: Type.String(),
  title: Type.String(),
  author: Type.String(),
  readers: Type.Integer(),
  most: Type.Union([Dollars, Type.Null()]),
});
export type UnfilledWant = Static<typeof UnfilledWant>;

/** The 100 that most readers want. */
export const listUnfilledWants = endpoint({
  method: 'GET',
  path: '/wants/unfilled',
  summary: 'Books that readers want and nobody sells',
  access: 'seller',
  status: 200,
  answer: Type.Object({ books: Type.Array(UnfilledWant) }),
  refused: { books: [] },
  personal: true,
});

const FirstRefusal = Type.Object({ on: Type.Boolean() });

export const readFirstRefusal = endpoint({
  method: 'GET',
  path: '/wants/first-refusal',
  summary: 'Whether the seller’s books are offered to waiting readers first',
  access: 'seller',
  status: 200,
  answer: FirstRefusal,
  refused: { on: false },
  personal: true,
});

export const setFirstRefusal = endpoint({
  method: 'PUT',
  path: '/wants/first-refusal',
  summary: 'Offers the seller’s books to waiting readers first, or puts them on the shelf at once',
  access: 'seller',
  body: FirstRefusal,
  status: 200,
  answer: FirstRefusal,
  refused: { on: false },
  personal: true,
});
