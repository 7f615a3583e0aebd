import { Type, type Static } from 'typebox';
import { isCountry } from '#contract/delivery/countries.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { isVisible, oneLine } from '#contract/text.ts';

export const BankAccountKind = Type.Union([Type.Literal('us'), Type.Literal('iban')]);
export type BankAccountKind = Static<typeof BankAccountKind>;
export const BankAccountType = Type.Union([Type.Literal('checking'), Type.Literal('savings')]);
export type BankAccountType = Static<typeof BankAccountType>;

/** As payment formats have it. */
export const MAX_HOLDER_LENGTH = 70;
const MAX_ACCOUNT_LENGTH = 17;
const MIN_ACCOUNT_LENGTH = 4;

/** Bank details as they are typed. */
export interface BankDetailsDraft {
  readonly kind: BankAccountKind;
  readonly holder: string;
  readonly country: string;
  readonly routing?: string | undefined;
  readonly account?: string | undefined;
  readonly accountType?: BankAccountType | undefined;
  readonly iban?: string | undefined;
}

/** Bank details as they are kept, without spaces. */
export type TidyBankDetails = { readonly holder: string; readonly country: string } & (
  | { readonly kind: 'us'; readonly routing: string; readonly account: string; readonly accountType: BankAccountType }
  | { readonly kind: 'iban'; readonly iban: string }
);

/**
 * How long the IBANs of a country are, of the IBAN Registry of SWIFT (ISO 13616):
 * https://www.swift.com/resource/iban-registry-pdf
 */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ' +
    'YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const packed = (text: string | undefined): string => (text ?? '').replace(/[\s-]+/gu, '').toUpperCase();

/** The remainder by 97 of a number in as many digits as one likes. */
const mod97 = (digits: string): number => [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);

/** What is wrong with an IBAN without spaces, in capitals; undefined where nothing is. */
const ibanProblem = (iban: string): string | undefined => {
  if (iban === '') return 'Give the IBAN';
  const length = IBAN_LENGTHS[iban.slice(0, 2)];
  if (length === undefined || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban))
    return 'An IBAN begins with the two letters of a country and two digits';
  if (iban.length !== length) return `An IBAN of this country has ${length} characters, and this one ${iban.length}`;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return mod97(digits) === 1 ? undefined : 'The check digits do not fit: one of the characters is wrong';
};

const ROUTING_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** Whether these are nine digits that an American bank can have for its routing number. */
export const isRoutingNumber = (digits: string): boolean =>
  /^\d{9}$/.test(digits) &&
  !/^0+$/.test(digits) &&
  ROUTING_WEIGHTS.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 10 === 0;

const routingProblem = (routing: string): string | undefined => {
  if (!/^\d{9}$/.test(routing)) return 'A routing number has nine digits';
  return isRoutingNumber(routing) ? undefined : 'This is no routing number: one of the digits is wrong';
};

const accountProblem = (account: string): string | undefined =>
  /^\d+$/.test(account) &&
  !/^0+$/.test(account) &&
  account.length >= MIN_ACCOUNT_LENGTH &&
  account.length <= MAX_ACCOUNT_LENGTH
    ? undefined
    : `Give the account number: ${MIN_ACCOUNT_LENGTH} to ${MAX_ACCOUNT_LENGTH} digits`;

/** Letters that have no part without a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Þ: 'TH',
  þ: 'th',
  ı: 'i',
};

/** A name as American banks take it: capitals without marks, digits and a few signs; spaces for everything else. */
export const bankName = (name: string): string =>
  oneLine(
    name
      .replace(/[^\0-\x7F]/gu, (letter) => PLAIN[letter] ?? letter)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toUpperCase()
      .replace(/[^A-Z0-9 .,&'()/-]/gu, ' '),
  );

const holderProblem = (draft: BankDetailsDraft): string | undefined => {
  const holder = oneLine(draft.holder);
  if (!isVisible(holder)) return 'Give the name of whoever the account belongs to';
  if (holder.length > MAX_HOLDER_LENGTH) return `At most ${MAX_HOLDER_LENGTH} characters`;
  const isWritable = draft.kind === 'iban' || /[A-Z]/.test(bankName(holder));
  return isWritable ? undefined : 'Write the name in Latin letters, as the bank has it';
};

/** What is wrong with bank details, by field; empty where nothing is. The same rules run on both sides. */
export const bankDetailsProblems = (draft: BankDetailsDraft): FieldErrors => {
  const found: Record<string, string | undefined> = {
    holder: holderProblem(draft),
    country: isCountry(draft.country.trim().toUpperCase()) ? undefined : 'Choose a country',
    ...(draft.kind === 'iban'
      ? { iban: ibanProblem(packed(draft.iban)) }
      : {
          routing: routingProblem(packed(draft.routing)),
          account: accountProblem(packed(draft.account)),
          accountType: draft.accountType === undefined ? 'Choose checking or savings' : undefined,
        }),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, says]) => (says === undefined ? [] : [[field, says]])),
  );
};

/** Bank details without problems as they are kept. */
export const tidyBankDetails = (draft: BankDetailsDraft): TidyBankDetails => {
  const [holder, country] = [oneLine(draft.holder), draft.country.trim().toUpperCase()];
  return draft.kind === 'iban'
    ? { kind: 'iban', holder, country, iban: packed(draft.iban) }
    : {
        kind: 'us',
        holder,
        country,
        routing: packed(draft.routing),
        account: packed(draft.account),
        accountType: draft.accountType ?? 'checking',
      };
};

/** The most of an account number that is ever shown: its last four characters, of a short one half. */
export const shownAccount = (details: TidyBankDetails): string => {
  const number = details.kind === 'us' ? details.account : details.iban;
  return `…${number.slice(-Math.min(4, Math.floor(number.length / 2)))}`;
};
