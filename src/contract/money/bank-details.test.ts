import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bankDetailsProblems,
  bankName,
  isRoutingNumber,
  shownAccount,
  tidyBankDetails,
  type BankDetailsDraft,
} from './bank-details.ts';

const us: BankDetailsDraft = {
  kind: 'us',
  holder: 'Ada Lovelace',
  country: 'US',
  routing: '021000021',
  account: '000123456789',
  accountType: 'checking',
};
const iban = (text: string): BankDetailsDraft => ({ kind: 'iban', holder: 'Jürgen Müller', country: 'DE', iban: text });
const problemsOf = (draft: BankDetailsDraft): string[] => Object.keys(bankDetailsProblems(draft));

// Examples of the IBAN Registry.
const IBANS = [
  'DE89 3704 0044 0532 0130 00',
  'GB29 NWBK 6016 1331 9268 19',
  'FR14 2004 1010 0505 0001 3M02 606',
  'MT84MALT011000012345MTLCAST001S',
  'NO9386011117947',
  'BE68539007547034',
  'CH9300762011623852957',
  'SE4550000000058398257466',
  'LC55HEMM000100010012001200023015',
];

describe('an IBAN', () => {
  test.each(IBANS)('%s is taken, in either way of writing it', (text) => {
    expect(problemsOf(iban(text))).toEqual([]);
    expect(problemsOf(iban(text.toLowerCase()))).toEqual([]);
    expect(tidyBankDetails(iban(text))).toMatchObject({ iban: text.replaceAll(' ', '') });
  });

  test.each([
    ['right by its digits, and too short', 'DE8837040044053201300'],
    ['right by its digits, and too long', 'DE29370400440532013000 0'],
    ['of a country without one', 'US64SVBKUS6S3300958879'],
    ['of nothing', ''],
    ['of zeros', '0000000000000000000000'],
    ['with a sign in it', 'DE89370400440532013<00'],
  ])('%s is refused', (_what, text) => {
    expect(problemsOf(iban(text))).toEqual(['iban']);
  });

  test('wrong in its length although its check digits are right says so', () => {
    // 97 divides it, as it should: only the length tells.
    const digits = (text: string) =>
      BigInt((text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)));
    const short = Array.from({ length: 97 }, (_, n) => `DE${String(n).padStart(2, '0')}37040044053201300`).find(
      (text) => digits(text) % 97n === 1n,
    );
    expect(short).toHaveLength(21);
    expect(bankDetailsProblems(iban(short ?? ''))).toEqual({
      iban: 'An IBAN of this country has 22 characters, and this one 21',
    });
  });

  test('with any one character changed, or two neighbours swapped, is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...IBANS), fc.nat(30), fc.constantFrom(...'0123456789ABCXYZ'), (text, at, other) => {
        const right = text.replaceAll(' ', '');
        const place = 4 + (at % (right.length - 4));
        fc.pre(right[place] !== other && /\d/.test(right[place] ?? '') === /\d/.test(other));
        const wrong = right.slice(0, place) + other + right.slice(place + 1);
        expect(problemsOf(iban(wrong))).toEqual(['iban']);
      }),
    );
  });
});

describe('an American account', () => {
  test.each(['021000021', '111000025', '322271627', '011401533'])('with the routing number %s is taken', (routing) => {
    expect(isRoutingNumber(routing)).toBe(true);
    expect(problemsOf({ ...us, routing })).toEqual([]);
  });

  test.each(['000000000', '021000022', '02100002', '0210000210', '02100002A', ''])(
    'with the routing number "%s" is refused',
    (routing) => expect(problemsOf({ ...us, routing })).toEqual(['routing']),
  );

  test.each(['123', '123456789012345678', '0000000', '12a45678', ''])('number "%s" is refused', (account) => {
    expect(problemsOf({ ...us, account })).toEqual(['account']);
  });

  test('of no type is refused; spaces and hyphens are let go', () => {
    expect(problemsOf({ ...us, accountType: undefined })).toEqual(['accountType']);
    expect(tidyBankDetails({ ...us, routing: '0210-0002 1', account: '12 345-678' })).toMatchObject({
      routing: '021000021',
      account: '12345678',
    });
  });
});

describe('its holder', () => {
  test.each([
    ['', 'nobody'],
    [' \u200b ', 'nobody who can be seen'],
    ['x'.repeat(71), '71 characters'],
  ])('"%s" (%s) is refused', (holder) => expect(problemsOf({ ...us, holder })).toEqual(['holder']));

  test('of 70 characters is taken; in letters that no American bank writes only for an IBAN', () => {
    expect(problemsOf({ ...us, holder: 'x'.repeat(70) })).toEqual([]);
    expect(problemsOf({ ...us, holder: '山田 太郎' })).toEqual(['holder']);
    expect(problemsOf({ ...iban(IBANS[0] ?? ''), holder: '山田 太郎' })).toEqual([]);
  });

  test.each([
    ['Jürgen Groß-Søndergård', 'JURGEN GROSS-SONDERGARD'],
    ['=cmd|calc', 'CMD CALC'],
    ['<b>Łucja</b>', 'B LUCJA /B'],
    ['Æsir & Þór', 'AESIR & THOR'],
  ])('%s is %s to an American bank', (name, written) => expect(bankName(name)).toBe(written));

  test('is never more than ASCII in capitals to one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        expect(bankName(name)).toMatch(/^[A-Z0-9 .,&'()/-]*$/);
      }),
    );
  });
});

test('of an account four characters are shown at most, and never half of it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4,17}$/), (account) => {
      const shown = shownAccount(tidyBankDetails({ ...us, account })).slice(1);
      expect(account.endsWith(shown)).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(Math.min(4, account.length / 2));
    }),
  );
});

test.each(['', 'XX', 'USA', '12'])('the country "%s" is refused', (country) => {
  expect(problemsOf({ ...us, country })).toEqual(['country']);
});
