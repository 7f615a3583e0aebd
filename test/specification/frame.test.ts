// Section 2 of the specification: what surrounds every page, as the server writes it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCategory } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { all, linksOf, one, parse, sectionOf, textOf, textsOf, type Element } from '#test/html.ts';
import { aSeller } from '#test/make.ts';

let t: TestApp;
let home: Element;
let shelf: Element;

const open = async (url: string): Promise<Element> => one(parse((await t.send('GET', url)).body), 'body');

beforeAll(async () => {
  t = await testApp({ web: true });
  const seller = await aSeller(t);
  for (const [category_id, category_name] of [
    ['maps', 'Maps & Atlases'],
    ['sea', 'The Sea'],
  ] as const) {
    await t.call(addCategory, { body: { category_id, category_name } }, { as: seller });
  }
  home = await open('/');
  shelf = await open('/category/sea');
});
afterAll(() => t.close());

const header = () => one(home, 'header');
/** What of it wide screens show. */
const bar = () => one(header(), 'div');
const panel = () => one(header(), 'div', { popover: 'auto' });
const sidebar = () => sectionOf(one(shelf, 'main'), 'Books Category');
const footer = () => one(home, 'footer');

const PLACES = [
  ['Home', '/home'],
  ['Categories', '/categories'],
  ['Blog', '/blog'],
  ['Dashboard', '/dashboard'],
] as const;

describe('the header', () => {
  test('has a logo that leads to /', () => {
    expect(linksOf(bar(), 'Dogear, to the start page')).toEqual(['/']);
  });

  test.each(PLACES)('has a link %s to %s', (name, address) => {
    expect(linksOf(bar(), name)).toEqual([address]);
  });
});

describe('the panel of small screens', () => {
  test('holds the items of the header', () => {
    const links = [...PLACES.map(([name]) => name), 'Dogear, to the start page', 'Sign In'];
    expect(links.map((name) => linksOf(panel(), name))).toEqual([...PLACES.map(([, to]) => [to]), ['/'], ['/login']]);
    expect(textsOf(panel(), 'button')).toContain('Sign Out');
    expect(all(panel(), 'button', { 'aria-label': 'Switch to the dark theme' })).toHaveLength(1);
    expect(all(panel(), 'img', { src: '/avatar.svg' })).toHaveLength(1);
  });

  test('holds the category sidebar', () => {
    expect(sectionOf(panel(), 'Books Category')).toBeDefined();
    expect(linksOf(panel(), 'The Sea')).toEqual(['/category/sea']);
  });
});

describe('the category sidebar', () => {
  const inSidebar = (): Element => sidebar() ?? one(shelf, 'aside');

  test('has the title Books Category', () => {
    expect(sidebar()).toBeDefined();
  });

  test('has an All link to /categories', () => {
    expect(linksOf(inSidebar(), 'All')).toEqual(['/categories']);
  });

  test('has one link for each category, showing its name', () => {
    expect(textsOf(inSidebar(), 'a').filter((text) => text !== 'All')).toEqual(['Maps & Atlases', 'The Sea']);
  });

  test('leads with each link to the category by its id', () => {
    const addresses = all(inSidebar(), 'a').map((link) => link.attributes.get('href'));
    expect(addresses.slice(-2)).toEqual(['/category/maps', '/category/sea']);
  });

  test('has a Logout entry', () => {
    expect(textsOf(inSidebar(), 'button')).toEqual(['Logout']);
  });
});

describe('the categories layout', () => {
  test.each(['/category/sea', '/categories'])('of %s has the header', async (url) => {
    expect(all(await open(url), 'header')).toHaveLength(1);
  });

  test.each(['/category/sea', '/categories'])('of %s has the main area beside the category sidebar', async (url) => {
    const main = one(await open(url), 'main');
    expect(all(main, 'h1')).toHaveLength(1);
    expect(all(main, 'aside').map((aside) => sectionOf(aside, 'Books Category') !== undefined)).toEqual([true]);
  });

  test.each(['/category/sea', '/categories'])('of %s has the footer', async (url) => {
    expect(all(await open(url), 'footer')).toHaveLength(1);
  });
});

describe('the footer', () => {
  test('describes the shop: favourite used books in the best condition at low prices', () => {
    expect(textOf(footer())).toMatch(
      /second-hand book store .* Find your favourite used books in the best condition, at low prices\./,
    );
  });

  test('has a phone number that belongs to nobody', () => {
    expect(linksOf(footer(), '+1 555 010 0199')).toEqual(['tel:+15550100199']);
  });

  test('has an email address that belongs to nobody', () => {
    expect(linksOf(footer(), 'hello@example.com')).toEqual(['mailto:hello@example.com']);
  });

  test('has an address made up for the shop', () => {
    expect(textOf(one(footer(), 'address'))).toContain('12 Paper Lane, Portland');
  });

  test('has social links', () => {
    const social = all(footer(), 'nav', { 'aria-label': 'Social' }).flatMap((nav) => all(nav, 'a'));
    expect(social.map((link) => new URL(link.attributes.get('href') ?? '').hostname)).toEqual([
      'www.instagram.com',
      'www.facebook.com',
      'www.youtube.com',
    ]);
  });

  test('has a copyright line', () => {
    expect(textsOf(footer(), 'p').filter((text) => /^Copyright © \d{4} Dogear/.test(text))).toHaveLength(1);
  });

  test.each([
    ['F.A.Q', 'faq'],
    ['Privacy Policy', 'privacy'],
    ['Terms & Conditions', 'terms'],
  ])('leads with %s to its section of the home page', (name, id) => {
    expect(linksOf(footer(), name)).toEqual([`/#${id}`]);
    expect(textsOf(sectionOf(one(home, 'main'), name) ?? footer(), 'h2')).toEqual([name]);
    expect(all(home, 'section', { id })).toHaveLength(1);
  });
});

describe('a routing error', () => {
  test.each([
    ['/no-such-page', 'There is no page at this address.'],
    ['/category/no-such-category', 'There is no such category.'],
    ['/book/no-such-book', 'There is no such book.'],
  ])('%s shows its status text and message', async (url, message) => {
    const main = one(await open(url), 'main');
    expect(textsOf(main, 'h1')).toEqual(['Not Found']);
    expect(textsOf(main, 'p')).toEqual(['404', expect.stringContaining(message)]);
  });

  test.each([
    ['/no-such-page', 'Search for a book'],
    ['/category/no-such-category', 'Search all categories'],
    ['/book/01890a5d-ac96-774b-bcce-b302099a8057', 'Find another copy'],
  ])('%s leads on to "%s"', async (url, label) => {
    expect(linksOf(one(await open(url), 'main'), label)).toEqual(['/search']);
  });

  test('shows a Sign Out action', async () => {
    const main = one(await open('/no-such-page'), 'main');
    expect(textsOf(main, 'button')).toEqual(['Sign Out']);
    // The page is the same for everybody: which of both is seen says the session.
    expect(linksOf(main, 'Sign In')).toEqual(['/login?from=%2Fno-such-page']);
  });

  test('shows a link Back to homepage', async () => {
    expect(linksOf(one(await open('/no-such-page'), 'main'), 'Back to homepage')).toEqual(['/']);
  });
});
