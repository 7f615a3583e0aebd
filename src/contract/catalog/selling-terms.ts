import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';

/**
 * What a sale costs its seller, in hundredths of a percent of the price and in cents: the payment provider's fee and
 * the shop's commission (`sharesOf` splits a price by them). `confirmedOnly`: only who confirmed the email address may
 * list.
 */
export const SellingTerms = Type.Object({
  feeBasisPoints: Type.Integer(),
  feeCents: Type.Integer(),
  commissionBasisPoints: Type.Integer(),
  confirmedOnly: Type.Boolean(),
});
export type SellingTerms = Static<typeof SellingTerms>;

export const readSellingTerms = endpoint({
  method: 'GET',
  path: '/selling-terms',
  summary: 'What is kept of a sale, and who may sell',
  access: 'anyone',
  status: 200,
  answer: SellingTerms,
  personal: false,
});
