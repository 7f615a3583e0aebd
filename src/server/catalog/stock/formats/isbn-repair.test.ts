import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { repairIsbn } from './isbn-repair.ts';

describe('the ISBN of a row', () => {
  it('gets the zeros back that a spreadsheet dropped, when the check digit agrees', () => {
    expect(repairIsbn('439023483', '9.78043902348e+12')).toEqual({ isbn13: '9780439023481', how: 'zeros put back' });
    expect(repairIsbn('80442957X', '')).toEqual({ isbn13: '9780804429573', how: 'zeros put back' });
    expect(repairIsbn('439023483.0', '')).toEqual({ isbn13: '9780439023481', how: 'zeros put back' });
    expect(repairIsbn('439023484', '')).toEqual({ isbn13: '', how: 'unrecoverable' });
  });

  it('is never made of a few digits', () => {
    for (const text of ['0', '1', '19', '12345']) expect(repairIsbn(text, '').isbn13).toBe('');
  });

  it('in scientific notation is rebuilt from the ISBN-10 beside it, or left empty', () => {
    expect(repairIsbn('1594480001', '9.78159448e+12')).toEqual({ isbn13: '9781594480003', how: 'rebuilt' });
    expect(repairIsbn('', '9.78159448e+12')).toEqual({ isbn13: '', how: 'unrecoverable' });
  });

  it('is taken as it is when it is whole', () => {
    expect(repairIsbn('', '9781594480003')).toEqual({ isbn13: '9781594480003', how: 'as given' });
    expect(repairIsbn('', '9781594480003.0')).toEqual({ isbn13: '9781594480003', how: 'as given' });
    expect(repairIsbn('1-59448-000-1', '')).toEqual({ isbn13: '9781594480003', how: 'as given' });
    expect(repairIsbn('', '')).toEqual({ isbn13: '', how: 'none' });
  });

  it('is a true ISBN or empty, whatever the columns hold', () => {
    const column = fc.oneof(fc.string(), fc.stringMatching(/^\d{7,13}[X]?$/), fc.double().map(String));
    fc.assert(
      fc.property(column, column, (isbn10, isbn13) => {
        const repaired = repairIsbn(isbn10, isbn13).isbn13;
        if (repaired !== '') expect(normaliseIsbn(repaired)).toBe(repaired);
      }),
    );
  });
});
