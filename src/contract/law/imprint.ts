import { Type, type Static } from 'typebox';

/** As what somebody sells; `''`: they have not said. */
export const SellsAsName = Type.Union([Type.Literal(''), Type.Literal('private'), Type.Literal('trader')]);

/**
 * What the law has a trader show to everybody: the business, its address (lines), its country (ISO 3166), an email
 * address, and where there are any a phone, an entry in a register and a tax number.
 */
export const Imprint = Type.Object({
  business: Type.String(),
  address: Type.String(),
  country: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  register: Type.String(),
  taxNumber: Type.String(),
});
export type Imprint = Static<typeof Imprint>;
