import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nachaFile, type Credit } from './nacha.policy.ts';

const FROM = { bankRouting: '021000021', bankName: 'First Bank', companyId: '1234567890', companyName: 'Dogear Books' };
const FILED = { day: '261123', time: '1530', effective: '261124', originator: FROM };

const aCredit: fc.Arbitrary<Credit> = fc.record({
  reference: fc.stringMatching(/^[0-9A-F]{15}$/),
  holder: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.constantFrom('=cmd|calc!A1', '<script>', 'Jürgen Müller', 'x'.repeat(71)),
  ),
  routing: fc.stringMatching(/^\d{9}$/),
  account: fc.stringMatching(/^\d{4,17}$/),
  accountType: fc.constantFrom('checking', 'savings'),
  cents: fc.integer({ min: 1, max: 99_999_999 }),
});

test('has lines of 94, blocks of ten, and ends that add up, whatever is paid to whom', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(aCredit, { minLength: 1, maxLength: 40 }),
      (n, credits) => {
        const file = nachaFile(n, FILED, FROM, credits);
        expect(file).toMatch(/^[ -~\n]*$/);
        const lines = file.split('\n');
        expect(lines.pop()).toBe('');
        expect(new Set(lines.map((line) => line.length))).toEqual(new Set([94]));
        expect(lines.length % 10).toBe(0);
        const filled = lines.findIndex((line) => line === '9'.repeat(94));
        const records = filled === -1 ? lines : lines.slice(0, filled);
        expect(lines.length - records.length).toBeLessThan(10);
        expect(lines.slice(records.length)).toEqual(lines.slice(records.length).map(() => '9'.repeat(94)));
        expect(records.map((line) => line[0]).join('')).toBe(`15${'6'.repeat(credits.length)}89`);

        const entries = records.slice(2, -2);
        const [batch = '', end = ''] = records.slice(-2);
        const sum = entries.reduce((total, line) => total + Number(line.slice(29, 39)), 0);
        const hash = entries.reduce((total, line) => total + BigInt(line.slice(3, 11)), 0n) % 10n ** 10n;
        expect(sum).toBe(credits.reduce((total, { cents }) => total + cents, 0));
        expect([batch.slice(4, 10), end.slice(13, 21)].map(Number)).toEqual([entries.length, entries.length]);
        expect([batch.slice(10, 20), end.slice(21, 31)].map(BigInt)).toEqual([hash, hash]);
        expect([batch.slice(20, 32), end.slice(31, 43)].map(Number)).toEqual([0, 0]);
        expect([batch.slice(32, 44), end.slice(43, 55)].map(Number)).toEqual([sum, sum]);
        expect(Number(end.slice(7, 13))).toBe(lines.length / 10);
        for (const [at, line] of entries.entries()) {
          const credit = credits[at];
          expect(line.slice(1, 3)).toBe(credit?.accountType === 'savings' ? '32' : '22');
          expect([line.slice(3, 12), line.slice(12, 29).trimEnd()]).toEqual([credit?.routing, credit?.account]);
          expect(line.slice(39, 54)).toBe(credit?.reference);
          expect(line.slice(54, 76)).toMatch(/^[A-Z0-9 .,&'()/-]{22}$/);
          expect(line.slice(79)).toBe(`02100002${String(at + 1).padStart(7, '0')}`);
        }
      },
    ),
  );
});

test('reads as the guide has it', () => {
  const credit = {
    reference: 'ABC',
    holder: 'Ada Lovelace',
    routing: '111000025',
    account: '123456789',
    cents: 50_001,
  };
  const lines = nachaFile(2, FILED, FROM, [{ ...credit, accountType: 'checking' }]).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '101 02100002112345678902611231530B094101FIRST BANK             DOGEAR BOOKS                   ',
    '5220DOGEAR BOOKS                        1234567890PPDPAYOUT    261123261124   1021000020000001',
    '622111000025123456789        0000050001ABC            ADA LOVELACE            0021000020000001',
    '82200000010011100002000000000000000000050001' + '1234567890' + ' '.repeat(25) + '021000020000001',
    '9000001000001000000010011100002000000000000000000050001' + ' '.repeat(39),
  ]);
  expect(lines).toHaveLength(11);
});
