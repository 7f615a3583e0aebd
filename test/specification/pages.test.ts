// Section 2 of the specification: the pages that everybody may see, as the server writes them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { all, fieldOf, linksOf, one, parse, sectionOf, textOf, textsOf, type Element } from '#test/html.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller } from '#test/make.ts';

let t: TestApp;
let category: string;
let others: Listing;
const pages = new Map<string, Element>();

const mainOf = async (url: string): Promise<Element> => one(parse((await t.send('GET', url)).body), 'main');
const pageAt = (url: string): Element => pages.get(url) ?? parse('');

beforeAll(async () => {
  t = await testApp({ web: true });
  const seller = await aSeller(t);
  others = await aListing(t, seller, { title: 'Elsewhere' });
  category = await aCategory(t, seller);
  let newest: Listing | undefined;
  // One more than a page holds.
  for (let place = 1; place <= 24; place += 1) {
    newest = await aListing(t, seller, { category_id: category, title: `Book ${place}` });
  }
  if (newest !== undefined) await aBooking(t, await aBuyer(t), newest);
  for (const url of ['/', '/login', '/register', '/blog', `/category/${category}`]) pages.set(url, await mainOf(url));
});
afterAll(() => t.close());

test.each(['/', '/home', '/login', '/register', '/blog'])('%s is for all', async (url) => {
  expect((await t.send('GET', url)).statusCode).toBe(200);
});

test('/category/{id} is for all', async () => {
  expect((await t.send('GET', `/category/${category}`)).statusCode).toBe(200);
});

describe('the landing page', () => {
  const popular = () => sectionOf(pageAt('/'), 'Popular Books');
  const books = () => sectionOf(pageAt('/'), 'All books, newest first') ?? pageAt('/');

  test('is the same at / and /home', async () => {
    expect(textOf(await mainOf('/home'))).toBe(textOf(pageAt('/')));
  });

  test('has a hero', () => {
    const [hero] = all(pageAt('/'), 'section');
    expect(textsOf(hero ?? pageAt('/'), 'h1')).toEqual(['Good books deserve another reader']);
  });

  test('has a Popular Books section', () => {
    expect(popular()).toBeDefined();
  });

  test('shows six static sample cards', () => {
    const cards = popular() === undefined ? [] : all(popular() ?? pageAt('/'), 'li');
    expect(cards).toHaveLength(6);
    for (const card of cards) {
      const [title = '', ...others] = textsOf(card, 'h3');
      expect(others).toEqual([]);
      const query = new URLSearchParams({ q: title }).toString();
      expect(all(card, 'a').map((link) => link.attributes.get('href'))).toEqual([`/search?${query}`]);
      expect(all(card, 'button')).toEqual([]);
    }
  });

  test('has a heading banner', () => {
    const banner = sectionOf(pageAt('/'), 'Every book has been somewhere before');
    expect(banner === undefined ? [] : textsOf(banner, 'h2')).toEqual(['Every book has been somewhere before']);
  });

  test('lists all listings, page by page', async () => {
    const titles: string[] = [];
    let url: string | undefined = '/';
    while (url !== undefined) {
      const page = await mainOf(url);
      titles.push(...all(page, 'article').flatMap((card) => textsOf(card, 'h3')));
      const [more] = linksOf(page, 'Show more');
      url = more;
    }
    expect(titles.toSorted()).toEqual(
      ['Elsewhere', ...Array.from({ length: 24 }, (_, at) => `Book ${at + 1}`)].toSorted(),
    );
  });

  test('has a Book Now button on each listing', () => {
    const cards = all(books(), 'article');
    expect(cards).toHaveLength(24);
    const bookNow = (card: Element): Element[] => all(card, 'button').filter((b) => textOf(b).startsWith('Book Now'));
    expect(cards.map((card) => bookNow(card).map(textOf))).toEqual(
      cards.map((card) => [`Book Now ${textsOf(card, 'h3').join('')}`]),
    );
    const shut = cards.filter((card) => bookNow(card).some((button) => button.attributes.has('disabled')));
    expect(shut.map((card) => textsOf(card, 'h3'))).toEqual([['Book 24']]);
  });

  test('has a disabled Book Now beside Join waiting list on a reserved listing', () => {
    const [card = pageAt('/')] = all(books(), 'article').filter((one) => textsOf(one, 'h3').includes('Book 24'));
    expect(textsOf(card, 'button')).toEqual(['Book Now Book 24', 'Join waiting list Book 24']);
  });
});

describe('the sign-in page', () => {
  const page = () => pageAt('/login');
  const form = () => one(page(), 'form');

  test('has the heading Sign In', () => {
    expect(textsOf(page(), 'h1')).toEqual(['Sign In']);
  });

  test('has a Create Account link to /register', () => {
    expect(linksOf(page(), 'Create Account')).toEqual(['/register']);
  });

  test('has an animation of turning pages', () => {
    const turning = all(page(), 'g', { 'data-turning': 'off' });
    expect(turning.map((book) => book.children.length)).toEqual([3]);
  });

  test.each(['Email', 'Password'])('has a field %s', (label) => {
    expect(fieldOf(form(), label)?.attributes.get('type')).toBe(label.toLowerCase());
  });

  test('has a SHOW label for the password', () => {
    expect(textsOf(form(), 'button')).toContain('SHOW password');
  });

  test('has a Forgot password? button', () => {
    expect(textsOf(form(), 'button')).toContain('Forgot password?');
  });

  test.each(['Google', 'Github'])('has a %s button', (name) => {
    expect(textsOf(page(), 'button')).toContain(name);
  });

  test.each([
    ['Terms', '/#terms'],
    ['Privacy', '/#privacy'],
  ])('has a %s link to its section of the home page', (name, address) => {
    expect(linksOf(page(), name)).toEqual([address]);
  });
});

describe('the registration page', () => {
  const form = () => one(pageAt('/register'), 'form');

  test('is headed Create Account, as its button is', () => {
    expect(textsOf(pageAt('/register'), 'h1')).toEqual(['Create Account']);
    expect(textsOf(form(), 'button', { type: 'submit' })).toEqual(['Create Account']);
  });

  test.each([
    ['email', 'Email'],
    ['name', 'Name'],
    ['password', 'Password'],
  ])('has a field for the %s', (name, label) => {
    expect(fieldOf(form(), label)?.attributes.get('name')).toBe(name);
  });

  test('asks for email, name and password in this order', () => {
    const names = all(form(), 'input').map(({ attributes }) => attributes.get('name'));
    expect(names.filter((name) => name !== undefined)).toEqual(['email', 'name', 'password']);
  });

  test.each(['Google', 'Github'])('has a %s button', (name) => {
    expect(textsOf(pageAt('/register'), 'button')).toContain(name);
  });
});

describe('the blog', () => {
  const cards = () => all(pageAt('/blog'), 'article');

  test('has four static cards, each a question and its answer', () => {
    expect(cards()).toHaveLength(4);
    for (const card of cards()) {
      expect(textsOf(card, 'h2').join('')).toMatch(/\?$/);
      expect(textsOf(card, 'p').join(' ').length).toBeGreaterThan(200);
    }
  });

  test.each([
    ['React', /state in a React application\?/],
    ['prototypes', /prototypical inheritance/],
    ['unit tests', /unit test/],
    ['framework comparison', /React vs\. Angular vs\. Vue/],
  ])('has a card on %s', (_, question) => {
    expect(cards().filter((card) => question.test(textsOf(card, 'h2').join('')))).toHaveLength(1);
  });
});

describe('the page of a category', () => {
  const page = () => pageAt(`/category/${category}`);

  test('shows the listings of that category and no others', () => {
    const titles = all(page(), 'article').flatMap((card) => textsOf(card, 'h2'));
    expect(titles).toHaveLength(24);
    expect(titles).not.toContain(others.title);
    expect(textsOf(page(), 'h1')).toEqual([category]);
  });
});
