import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, PageQuery } from '#contract/scalars.ts';
import { CardPhoto } from './photos.ts';

/** The orders of an author's books. `copies`: those with most copies first. */
export const AUTHOR_SORTS = ['copies', 'title'] as const;
export const AuthorSort = Type.Union([Type.Literal('copies'), Type.Literal('title')]);
export type AuthorSort = Static<typeof AuthorSort>;

/** The longest slug of an author. */
export const AUTHOR_SLUG_MAX = 80;

/**
 * A book of an author: the copies on the shelf of one ISBN, or, where `isbn13` is `''`, those without one of one title.
 * `_id`: the cheapest of its `copies`; `from`: what that costs, in US dollars. `image_url` and `photo`: a picture of
 * one of them.
 */
export const AuthorBook = Type.Object({
  _id: Id,
  title: Type.String(),
  authors: Type.String(),
  isbn13: Type.String(),
  copies: Type.Integer(),
  from: Dollars,
  image_url: Type.String(),
  photo: Type.Union([CardPhoto, Type.Null()]),
});
export type AuthorBook = Static<typeof AuthorBook>;

/**
 * What an author's page shows. `slug`: its one address, whatever was asked for. `count`: all of the author's books.
 * `next`: cursor of the next page.
 */
export const AuthorAnswer = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  count: Type.Integer(),
  books: Type.Array(AuthorBook),
  next: Type.Union([Type.String(), Type.Null()]),
});
export type AuthorAnswer = Static<typeof AuthorAnswer>;

/** 404 for an author of whom no copy is on the shelf. */
export const readAuthor = endpoint({
  method: 'GET',
  path: '/author/:slug',
  summary: 'The books of an author that have copies on the shelf',
  access: 'anyone',
  params: Type.Object({
    slug: Type.String({ minLength: 1, maxLength: 200, description: 'the name: lower case, no accents, with dashes' }),
  }),
  query: Type.Object({ sort: Type.Optional(AuthorSort), ...PageQuery }),
  status: 200,
  answer: AuthorAnswer,
  refused: { slug: null },
  personal: false,
});
