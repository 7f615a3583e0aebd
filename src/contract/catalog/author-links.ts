import { Type, type Static } from 'typebox';

/** Somebody who wrote a book, and the address of their page: `/author/{slug}`. */
export const AuthorLink = Type.Object({ name: Type.String(), slug: Type.String() });
export type AuthorLink = Static<typeof AuthorLink>;
