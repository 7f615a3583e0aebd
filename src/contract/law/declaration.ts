import { Type, type Static } from 'typebox';
import { isCountry } from '#contract/delivery/countries.ts';
import { endpoint } from '#contract/endpoint.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { IsoTime, Text } from '#contract/scalars.ts';
import { Imprint, SellsAsName } from './imprint.ts';

export const MAX_BUSINESS_LENGTH = 200;
export const MAX_BUSINESS_ADDRESS_LENGTH = 500;
export const MAX_BUSINESS_PHONE_LENGTH = 50;
export const MAX_REGISTER_LENGTH = 200;
export const MAX_TAX_NUMBER_LENGTH = 50;

export const NO_IMPRINT: Imprint = {
  business: '',
  address: '',
  country: '',
  email: '',
  phone: '',
  register: '',
  taxNumber: '',
};

/**
 * What a seller has said of themselves for the law. `terms`: the version of the shop's terms that is in force;
 * `accepted`: whether they have accepted that one as a seller.
 */
export const Declaration = Type.Object({
  kind: SellsAsName,
  ...Imprint.properties,
  declaredAt: Type.Union([IsoTime, Type.Null()]),
  terms: Type.String(),
  accepted: Type.Boolean(),
});
export type Declaration = Static<typeof Declaration>;

/** `adult`: they are 18 or older. `terms`: the version that they have read and accept. */
export const DeclarationInput = Type.Object({
  kind: Type.Union([Type.Literal('private'), Type.Literal('trader')]),
  business: Type.Optional(Text(MAX_BUSINESS_LENGTH)),
  address: Type.Optional(Text(MAX_BUSINESS_ADDRESS_LENGTH)),
  country: Type.Optional(Text(2)),
  email: Type.Optional(Text(254)),
  phone: Type.Optional(Text(MAX_BUSINESS_PHONE_LENGTH)),
  register: Type.Optional(Text(MAX_REGISTER_LENGTH)),
  taxNumber: Type.Optional(Text(MAX_TAX_NUMBER_LENGTH)),
  adult: Type.Boolean(),
  terms: Text(40),
});
export type DeclarationInput = Static<typeof DeclarationInput>;

/** As an address looks; the one rule of the specification is that of accounts, and refuses some real ones. */
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,180}\.[^\s@.]{2,}$/;

/** What is wrong with a declaration, by field. */
export const declarationProblems = (
  input: Omit<DeclarationInput, 'terms' | 'kind'> & { kind: string },
): FieldErrors => {
  const problems: FieldErrors = {};
  const blank = (text: string | undefined): boolean => (text ?? '').trim() === '';
  if (input.kind !== 'private' && input.kind !== 'trader') problems.kind = 'Choose one';
  if (input.kind === 'trader') {
    if (blank(input.business)) problems.business = 'Give the name of the business';
    if (blank(input.address)) problems.address = 'Give the address at which the business can be reached';
    if (!isCountry(input.country?.trim() ?? '')) problems.country = 'Choose the country';
    if (!ADDRESS.test(input.email?.trim() ?? '')) problems.email = 'Give an email address that buyers can write to';
  }
  if (!input.adult) problems.adult = 'Sellers are 18 or older and accept the terms';
  return problems;
};

export const readDeclaration = endpoint({
  method: 'GET',
  path: '/declaration',
  summary: 'As what the viewer sells, and which terms they have accepted',
  access: 'seller',
  status: 200,
  answer: Declaration,
  refused: { kind: null },
  personal: true,
});

/** 400 with `fields` for what is missing, and for `terms` that are not in force any more. */
export const declare = endpoint({
  method: 'PUT',
  path: '/declaration',
  summary: 'Says as what the viewer sells, and accepts the terms as a seller',
  access: 'seller',
  body: DeclarationInput,
  status: 200,
  answer: Declaration,
  refused: { kind: null },
  personal: true,
});
