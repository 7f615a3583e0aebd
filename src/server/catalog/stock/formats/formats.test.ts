import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StockCells } from '#contract/stock/fields.ts';
import type { StockChoices } from '#contract/stock/stock-files.ts';
import type { ReadBytes } from './encoding.ts';
import { prepareRow, type PreparedRow } from './prepare.ts';
import { markOf, noSigns, notePrice, priceOf } from './prices.ts';
import { createSurveyor, openFile, rowsOf } from './read-file.ts';
import type { ReadRow } from './rows.ts';
import { conditionOfWord, saidIn } from './words.ts';

/** In pieces of any size, as parts of a file come. */
const bytesOf = (content: string | Buffer, piece = 7): ReadBytes =>
  async function* () {
    const bytes = Buffer.from(content as string);
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };

const readAll = async (content: string | Buffer, choices: StockChoices = {}, piece = 7) => {
  const read = bytesOf(content, piece);
  const file = await openFile(read, choices);
  if ('problem' in file) return { problem: file.problem, rows: [], survey: undefined };
  const surveyor = createSurveyor(file);
  const rows: ReadRow[] = [];
  for await (const row of rowsOf(read, file)) {
    surveyor.note(row);
    rows.push(row);
  }
  return { problem: undefined, rows, survey: surveyor.survey(choices) };
};
const cellsIn = async (content: string | Buffer): Promise<StockCells[]> =>
  (await readAll(content)).rows.map(({ cells }) => cells);

const RULES = { decimal: '.' as const, statuses: {}, categories: new Map([['poetry', 'poetry']]) };
const prepare = (cells: StockCells): PreparedRow | { refused: string } => prepareRow(cells, RULES);
const BOOK: StockCells = { sku: 'A1', title: 'Emma', price: '8.50' };

describe('what a file is', () => {
  it('is seen by its beginning', async () => {
    expect((await readAll('UR|1\r\nTI|Emma\r\nPR|8\r\n')).survey?.format).toBe('uiee');
    expect((await readAll('sku;title;price\n1;Emma;8,50\n')).survey).toMatchObject({ delimiter: ';', decimal: ',' });
    expect((await readAll('listingid\ttitle\tprice\n1\tEmma\t8.50\n')).survey).toMatchObject({ delimiter: '\t' });
    expect((await readAll('sku|title|price\n1|Emma|8\n')).survey?.delimiter).toBe('|');
    expect((await readAll('9780306406157\n0-8044-2957-X and 9780306406157')).survey?.format).toBe('isbn-list');
  });

  it('is told where it is no text, or nothing', async () => {
    for (const [begin, what] of [
      ['PK\u0003\u0004', /ZIP archive or an Excel workbook/],
      ['%PDF-1.7', /PDF/],
    ] as const)
      expect((await readAll(begin + 'x'.repeat(50))).problem).toMatch(what);
    expect((await readAll('')).problem).toBe('There is nothing in this file');
    expect((await readAll(' \r\n ')).problem).toBe('There is nothing in this file');
    expect((await readAll('sku,title,price\n')).rows).toEqual([]);
  });

  it('is read in each encoding, and its letters are shown', async () => {
    const text = 'sku,title,author\n1,Wuthering Heights,Emily Brontë\n';
    const wide = Buffer.from(text, 'utf16le');
    const files = [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(text, 'latin1'),
      wide,
      Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
      Buffer.from(wide).swap16(),
    ];
    for (const file of files) {
      const { rows, survey } = await readAll(file);
      expect(rows.map(({ cells }) => cells)).toEqual([
        { sku: '1', title: 'Wuthering Heights', author: 'Emily Brontë' },
      ]);
      expect(survey?.letters).toHaveLength(1);
    }
  });
});

describe('UIEE', () => {
  it('has records that end at an empty line or the next number, and values that go on', async () => {
    const text =
      'anna\r\nBOOKS\r\n2026-01-01\r\n12:00\r\n\r\nUR|7\r\nTI|Emma\r\nAA|Austen, Jane\r\nAI|Brock, C. E.\r\nNT|First line\r\nsecond | line\r\nPR|1,234.00\r\nRE|8\r\nTI|Persuasion\r\nXB|2\r\n\r\nUR|9\nTI|Sense\nXD|W\n';
    const { rows } = await readAll(text);
    expect(rows.map(({ cells, problem }) => [cells.sku, cells.title, cells.status, problem?.slice(0, 18)])).toEqual([
      ['7', 'Emma', undefined, undefined],
      ['8', 'Persuasion', 'Sold', undefined],
      ['9', 'Sense', undefined, 'It is not for sale'],
    ]);
    expect(rows[0]?.cells).toMatchObject({
      author: 'Austen, Jane; Brock, C. E. (illustrator)',
      description: 'First line\nsecond | line',
      price: '1,234.00',
    });
    expect(rows.map(({ line }) => line)).toEqual([6, 13, 17]);
  });

  it('takes Hold for paused whatever the action, and never a catalogue number for an ISBN', async () => {
    const status = async (lines: string) => (await cellsIn(`UR|1\nTI|A\n${lines}\n`))[0]?.status;
    expect(await status('XB|7\nIS|Hold')).toBe('Hold');
    expect(await status('IS|Hold')).toBe('Hold');
    expect(await status('XB|1\nIS|Sold')).toBe('For Sale');
    expect(await status('XB|5')).toBe('Sold');
    expect(await status('IS|Sold')).toBe('Sold');
    const [record] = await cellsIn('CI|9780306406157\nUR|1\nTI|A\nNT|ISBN 0306406152, a good copy\n');
    expect(record).toMatchObject({ sku: '1', isbn: '0306406152' });
  });
});

describe('files with columns', () => {
  it('keep quotes, line breaks and mixed ends of lines', async () => {
    const text = 'sku,title,description,price\r1,Emma,"two\nlines, ""quoted""",8\r\n2,8" x 10",="007",9\n3,Sense,,7\r';
    expect(await cellsIn(text)).toEqual([
      { sku: '1', title: 'Emma', description: 'two\nlines, "quoted"', price: '8' },
      { sku: '2', title: '8" x 10"', description: '007', price: '9' },
      { sku: '3', title: 'Sense', price: '7' },
    ]);
  });

  it('say where a quotation mark is never closed, and that the rest was not read', async () => {
    const { rows } = await readAll('sku,title,price\n1,Emma,8\n2,"Sense,7\n3,Mansfield,6\n');
    expect(rows.map(({ line, problem, isEnd }) => [line, problem?.slice(0, 16), isEnd])).toEqual([
      [2, undefined, undefined],
      [3, 'A quotation mark', true],
    ]);
  });

  it('refuse a row of a million letters, and one with more cells than columns', async () => {
    const { rows } = await readAll(
      `sku,title,price\n1,${'x'.repeat(1_000_001)},8\n2,Emma,7,more\n3,Sense,6\n`,
      {},
      65_536,
    );
    expect(rows.map(({ problem }) => problem?.slice(0, 12))).toEqual(['It is longer', 'It has 4 cel', undefined]);
  });

  it('are read without quotes where tabs part them', async () => {
    expect(await cellsIn('sku\ttitle\tprice\n1\t8" x 10" plates\t8\n2\t"Emma\t9\n')).toEqual([
      { sku: '1', title: '8" x 10" plates', price: '8' },
      { sku: '2', title: '"Emma', price: '9' },
    ]);
  });

  it('of readers’ programs have their ISBNs taken out of formulas and brackets', async () => {
    const read = async (text: string) =>
      (await cellsIn(text)).map((cells) => (prepare({ ...cells, price: '5' }) as PreparedRow).isbn13);
    expect(
      await read('Book Id,Title,ISBN,ISBN13\n1,Pride,"=""0679783261""","=""9780679783268"""\n2,No,"=""""",\n'),
    ).toEqual(['9780679783268', undefined]);
    expect(await read('Book Id\tTitle\tISBN\n1\tPride\t[0679783261]\n2\tNo\t[]\n')).toEqual([
      '9780679783268',
      undefined,
    ]);
  });

  it('come out of any cells as they went in', async () => {
    const cell = fc
      .string({ unit: 'grapheme-composite', maxLength: 20 })
      .map((text) => text.replaceAll(/[\r\0]/g, '').trim());
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), async (pairs) => {
        const rows = pairs.map(([title, description], place) => [String(place + 1), title, description]);
        const text = ['sku,title,description', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n');
        // Excel's formulas are the one thing that is taken apart.
        fc.pre(!/="/.test(text));
        const cells = await cellsIn(text);
        expect(cells.map(({ title = '', description = '' }) => [title, description])).toEqual(pairs);
      }),
    );
  });
});

describe('prices', () => {
  const markIn = (...prices: string[]) => {
    const signs = noSigns();
    for (const price of prices) notePrice(signs, price);
    return markOf(signs);
  };
  it('have one mark a column, which is asked for where it is not shown', () => {
    expect(markIn('8.50', '1,250')).toBe('.');
    expect(markIn('9,99', '1,250')).toBe(',');
    expect(markIn('1.250,00')).toBe(',');
    expect(markIn('1,250')).toBeUndefined();
    expect(markIn('9,99', '8.50')).toBeUndefined();
    expect(markIn('8', '12')).toBe('.');
  });
  it('are dollars', () => {
    expect(priceOf('$1,234.50', '.')).toBe(123_450);
    expect(priceOf('1.234,50', ',')).toBe(123_450);
    expect(priceOf('USD 12', '.')).toBe(1_200);
    expect(priceOf('99999.99', '.')).toBe(9_999_999);
    expect(priceOf('', '.')).toBeUndefined();
    for (const wrong of ['£12', '12 EUR', '100000', '0.10', '1,250'])
      expect(typeof priceOf(wrong, wrong === '1,250' ? undefined : '.'), wrong).toBe('string');
    for (const none of ['0', 'POA', '0.00']) expect(priceOf(none, '.')).toBe('It has no price');
  });
});

describe('a row', () => {
  it.each([
    [undefined, 1],
    ['0', 0],
    ['1.0', 1],
    ['999', 999],
  ])('with the quantity %j stands for %j', (quantity, count) => {
    expect(prepare({ ...BOOK, ...(quantity !== undefined && { quantity }) })).toMatchObject({ quantity: count });
  });
  it.each(['1000', '-1', 'many'])('with the quantity %j is refused', (quantity) => {
    expect(prepare({ ...BOOK, quantity })).toMatchObject({ refused: expect.stringContaining('quantity') });
  });
  it('keeps its number as text, and goes by its ISBN where it has none', () => {
    expect(prepare({ ...BOOK, sku: '007' })).toMatchObject({ sku: '007' });
    expect(prepare({ title: 'A', price: '3', isbn: '0306406152' })).toMatchObject({ sku: '9780306406157' });
    expect(prepare({ title: 'A', price: '3' })).toMatchObject({ refused: expect.stringContaining('SKU') });
  });
  it('mends what a spreadsheet did to an ISBN, and loses one that cannot be mended', () => {
    const isbn = (text: string) => (prepare({ ...BOOK, isbn: text }) as PreparedRow).isbn13;
    expect(isbn('306406152')).toBe('9780306406157');
    expect(isbn('43942089X')).toBe('9780439420891');
    expect(isbn('9.78E+12')).toBeUndefined();
    expect(isbn('9.78E+12, 0306406152')).toBe('9780306406157');
    expect(prepare({ ...BOOK, isbn: '9780306406158' })).toMatchObject({ refused: expect.stringContaining('ISBN') });
  });
  it('asks what a lone letter means, and never sells what is on hold', () => {
    expect(prepare({ ...BOOK, status: 'S' })).toMatchObject({ refused: expect.stringContaining('status') });
    expect(prepareRow({ ...BOOK, status: 'S' }, { ...RULES, statuses: { S: 'gone' } })).toMatchObject({ quantity: 0 });
    for (const status of ['On Hold', 'Hold']) expect(prepare({ ...BOOK, status })).toMatchObject({ isPaused: true });
    expect(prepare({ ...BOOK, status: 'Sold' })).toMatchObject({ quantity: 0 });
  });
  it('with a NUL or an error of a spreadsheet is refused', () => {
    expect(prepare({ ...BOOK, description: 'a\0b' })).toMatchObject({ refused: expect.stringContaining('NUL') });
    expect(prepare({ ...BOOK, title: '#NAME?' })).toMatchObject({ refused: expect.stringContaining('spreadsheet') });
  });
  it('never throws, whatever its cells say', () => {
    const cells = fc.dictionary(
      fc.constantFrom('sku', 'title', 'price', 'quantity', 'isbn', 'status', 'condition', 'year'),
      fc.string(),
    );
    fc.assert(fc.property(cells, (any) => void prepare(any as StockCells)));
  });
});

describe('words', () => {
  it('of the trade give a condition, the lower step for a plus', () => {
    const read = (text: string) => conditionOfWord(text);
    expect(['Fine', 'nf', 'VG+', 'VG+/VG', 'Good', 'fair', 'Poor', 'As New', 'sehr gut'].map(read)).toEqual([
      'Excellent',
      'Excellent',
      'Good',
      'Good',
      'Good',
      'Fair',
      'Fair',
      'Excellent',
      'Good',
    ]);
    expect(['used', 'collectible', 'nice', ''].map(read)).toEqual([undefined, undefined, undefined, undefined]);
  });
  it('say of signed and jacket only what they say', () => {
    expect(saidIn({ signed: 'unsigned' })).toEqual({ signed: 'no' });
    expect(saidIn({ signed: 'designed by the author' })).toEqual({});
    expect(saidIn({ description: 'signed copy' })).toEqual({});
    expect(saidIn({ condition: 'VG/-' })).toEqual({ jacket: 'missing' });
    expect(
      saidIn({ condition: 'VG/G', edition: '1st Edition', binding: 'Cloth', language: 'English', pages: '312 pp' }),
    ).toEqual({
      jacket: 'with',
      edition: '1st Edition',
      printing: 'first edition',
      binding: 'hardcover',
      language: 'eng',
      pages: 312,
    });
  });
});
