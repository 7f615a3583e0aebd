import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';

/** A piece of a line: how it looks, and where it leads, `""` for nowhere. */
const Piece = Type.Object({
  text: Type.String(),
  look: Type.Union([Type.Literal('plain'), Type.Literal('strong'), Type.Literal('emphasis')]),
  href: Type.String(),
});
export type Piece = Static<typeof Piece>;

/** A heading or a paragraph has one line, a list one for each entry. */
const Block = Type.Object({
  kind: Type.Union([Type.Literal('heading'), Type.Literal('paragraph'), Type.Literal('list')]),
  lines: Type.Array(Type.Array(Piece)),
});
export type Block = Static<typeof Block>;

/** A text of the shop: which wording it is, and its blocks. */
const ShopText = Type.Object({ version: Type.String(), blocks: Type.Array(Block) });

/** What the shop says of itself and its rules, as its operator wrote it. */
export const ShopTexts = Type.Object({
  terms: ShopText,
  privacy: ShopText,
  withdrawal: ShopText,
  imprint: ShopText,
});
export type ShopTexts = Static<typeof ShopTexts>;

export const readTexts = endpoint({
  method: 'GET',
  path: '/texts',
  summary: 'The shop’s terms, privacy policy, right of withdrawal and imprint',
  access: 'anyone',
  status: 200,
  answer: ShopTexts,
  personal: false,
});
