import { afterAll, beforeAll, expect, it } from 'vitest';
import { learnEdition } from '#server/catalog/editions/edition.service.ts';
import { OpenLibraryDown, type AskOpenLibrary } from '#server/catalog/editions/open-library.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aSeller } from '#test/make.ts';
import { stockFile, uploadStock, commitFile, workOnFiles } from '#test/stock.ts';
import { chooseStock } from '#contract/stock/stock-files.ts';
import { workOnStock } from './stock-job.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const EMMA = '9780141439587';
const NOBODYS = '9780306406157';

it('a list of ISBNs learns its titles, once for each, and of a service that is down not at all', async () => {
  const seller = await aSeller(t);
  const category = await aCategory(t, seller);
  const asked: string[] = [];
  let isDown = true;
  const openLibrary: AskOpenLibrary = async (isbn13) => {
    asked.push(isbn13);
    if (isDown) throw new OpenLibraryDown('it is away');
    if (isbn13 !== EMMA) return undefined;
    return {
      title: 'Emma',
      authors: 'Jane Austen',
      publisher: '',
      year: 1815,
      language: 'eng',
      binding: '',
      pages: 474,
    };
  };
  const look = () =>
    workOnStock(
      {
        db: t.payments.db,
        tellDone: async () => {},
        learnIsbn: (isbn13) => learnEdition({ db: t.payments.db, openLibrary }, isbn13),
      },
      new AbortController().signal,
    );
  const id = await uploadStock(t, seller, `${EMMA}\n978-0-306-40615-7\n`, 'isbns.txt');
  await look();
  expect(await stockFile(t, seller, id)).toMatchObject({ state: 'ready', counts: { rows: { refused: 2 } } });
  // It was away: each is tried some times, and neither is held against it.
  expect(new Set(asked)).toEqual(new Set([EMMA, NOBODYS]));
  isDown = false;
  asked.length = 0;
  const choices = { category, condition: 'Good' as const, price: '4.50', location: 'Portland', phone: '1' };
  const again = async () => {
    const { choices: before } = await stockFile(t, seller, id);
    await t.call(chooseStock, { params: { id }, body: { ...before, ...choices } }, { as: seller });
    await look();
    return stockFile(t, seller, id);
  };
  expect(await again()).toMatchObject({ counts: { added: 1, rows: { new: 1, refused: 1 } } });
  expect(asked).toEqual([EMMA, NOBODYS]);
  await again();
  expect(asked).toHaveLength(2);
  await commitFile(t, seller, id);
  await workOnFiles(t);
  const titles = await t.db
    .selectFrom('listings')
    .select(['title', 'authors'])
    .where('seller_id', '=', seller.id)
    .execute();
  expect(titles).toEqual([{ title: 'Emma', authors: 'Jane Austen' }]);
}, 30_000);
