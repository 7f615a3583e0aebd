import { Type } from 'typebox';

const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

/** Identifier of a user, listing, booking or payment. */
export const Id = Type.String({ pattern: uuidPattern, description: 'UUID' });

/** What stands in a secret address: whoever has it may do what the address is for, and nothing else. */
export const SecretToken = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Identifier of a category, chosen by whoever adds it. */
export const CategoryId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });

/** An address as a claim to compare with the viewer; at most 254 characters (RFC 5321). */
export const Email = Type.String({ maxLength: 254 });

/** Instant in ISO 8601, UTC. */
export const IsoTime = Type.String({ description: 'ISO 8601, UTC' });

/** US dollars on the way out, e.g. 12.5. Inside, money is integer cents. */
export const Dollars = Type.Number({ description: 'US dollars' });

/** US dollars on the way in: a JSON number or a decimal string with at most two decimals; checked by `parseCents`. */
export const DollarsInput = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  description: 'US dollars, a number or a decimal string, at most two decimals',
});

/** One line of text: at most `maxLength` UTF-16 units. */
export const Text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });

/**
 * Query of a paged list. `limit` is 1 to 100, 24 when absent; `cursor` is taken from the `Link` header of the page
 * before.
 */
export const PageQuery = {
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100, default 24' })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'from the Link header of the page before' })),
};

/**
 * The same for a list in several orders: a cursor then holds what its row was ordered by, and is of that order only.
 */
export const SortedPageQuery = {
  ...PageQuery,
  cursor: Type.Optional(Type.String({ maxLength: 600, description: 'from the Link header of the page before' })),
};

/** Rows of a page when the caller names no limit. */
export const DEFAULT_PAGE_SIZE = 24;
