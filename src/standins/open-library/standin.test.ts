import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOpenLibraryStandin } from './standin.ts';

const standin = createOpenLibraryStandin();
let base: string;
beforeAll(async () => {
  base = `http://127.0.0.1:${await standin.listen(0)}`;
});
afterAll(() => standin.close());

const ask = (isbn: string, what: string, userAgent = 'Shop (https://books.example; books@books.example)') =>
  fetch(`${base}/api/books?bibkeys=ISBN:${isbn}&jscmd=${what}&format=json`, { headers: { 'User-Agent': userAgent } });

it('answers by either form of an ISBN, with names at the edition or at its work alone', async () => {
  for (const isbn of ['9780439023481', '0439023483']) {
    const details = { title: 'The Hunger Games (The Hunger Games, #1)', authors: [{ name: 'Suzanne Collins' }] };
    expect(await (await ask(isbn, 'details')).json()).toMatchObject({ [`ISBN:${isbn}`]: { details } });
  }
  const atWork = (await (await ask('0439554934', 'details')).json()) as Record<string, { details: object }>;
  expect(atWork['ISBN:0439554934']?.details).not.toHaveProperty('authors');
  expect(await (await ask('0439554934', 'data')).json()).toMatchObject({
    'ISBN:0439554934': { authors: [{ name: 'J.K. Rowling' }, { name: 'Mary GrandPré' }] },
  });
  expect(await (await ask('9780306406157', 'details')).json()).toEqual({});
});

it('refuses whoever does not say how they are reached', async () => {
  for (const userAgent of ['Shop', 'Shop/1.0 (Linux)', 'node'])
    expect((await ask('0439023483', 'details', userAgent)).status).toBe(403);
});

it('goes wrong when told to, until told otherwise', async () => {
  const tell = async (next: string) => (await fetch(`${base}/faults?next=${next}`, { method: 'POST' })).status;
  expect(await tell('down')).toBe(200);
  expect((await ask('0439023483', 'details')).status).toBe(503);
  expect(await tell('nonsense')).toBe(400);
  expect(await tell('none')).toBe(200);
  expect((await ask('0439023483', 'details')).status).toBe(200);
});
