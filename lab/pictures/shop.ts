// The demo shop whose pictures are taken, and what its screens are about.
import type { Browser } from 'playwright-core';
import { openPhotoShop, type PhotoShop } from '#lab/bench/pictured-shop.ts';
import { LOOKS } from './looks.ts';
import { openWindow, type Visitor } from './visitor.ts';

/** What stands in the place of a name in a screen's path. */
export interface Facts {
  /** A copy that can be booked, with a photo. */
  readonly free: string;
  /** One without a photo. */
  readonly bare: string;
  /** One with a long title. */
  readonly long: string;
  readonly arabic: string;
  readonly japanese: string;
  /** One that somebody else than the buyer has reserved. */
  readonly reserved: string;
  /** A booking of the buyer that waits for its payment. */
  readonly booking: string;
  /** An order of the buyer's, and one of the seller's. */
  readonly bought: string;
  readonly sold: string;
  /** A copy that the seller has for sale. */
  readonly own: string;
}

interface Copy {
  readonly _id: string;
  readonly title: string;
  readonly authors: string;
  readonly status: string;
  readonly image_url: string;
  readonly resale_price: number;
}

interface Booking {
  readonly _id: string;
  readonly listingId: string;
  readonly paid: boolean;
  readonly hold: string;
  readonly orderId: string | null;
}

const LONG_TITLE =
  'The Honest and Complete History of a Small Bookshop on a Windy Corner, Told by Those Who Dusted Its Shelves, With Remarks on Weather, Cats, Lost Umbrellas and the Proper Storage of Unfinished Dictionaries';

const offerLong = async (seller: Visitor): Promise<string> => {
  const draft = {
    email: 'seller@example.com',
    Seller: 'Marlow Books',
    category_id: 'memoir',
    title: LONG_TITLE,
    condition: 'Good',
    image_url: 'https://images.example/none.jpg',
    original_price: '1234.50',
    resale_price: '999.99',
    years_of_use: '2',
    phone: '555 0142',
    location: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, Wales',
    details: 'Read once. '.repeat(40).trim(),
  };
  return (await seller.call<{ insertedId: string }>('POST', '/categories', draft)).insertedId;
};

const book = async (
  buyer: Visitor,
  { _id: listingId, title, image_url, resale_price: price }: Copy,
): Promise<string> => {
  const draft = { listingId, title, image_url, price, buyer: '', email: 'buyer@example.com', phone: '', location: '' };
  return (await buyer.call<{ insertedId: string }>('POST', '/bookings', draft)).insertedId;
};

/** Looks up what the screens are about; in a shop of its own it lists a copy with a long title and books another. */
export const readFacts = async (browser: Browser, url: string, isOwn: boolean): Promise<Facts> => {
  const [look = { theme: 'light', width: 1280 }] = LOOKS;
  const open = (who: 'visitor' | 'buyer' | 'seller') => openWindow(browser, url, who, look);
  const [visitor, buyer, seller] = await Promise.all([open('visitor'), open('buyer'), open('seller')]);
  try {
    const mine = await seller.call<Copy[]>('GET', '/categories/my_products?email=seller@example.com');
    const long = isOwn ? await offerLong(seller) : undefined;
    const listed: Copy[] = [];
    const categories = await visitor.call<{ category_id: string }[]>('GET', '/categoryName');
    for (const { category_id: id } of categories)
      listed.push(...(await visitor.call<Copy[]>('GET', `/category/${encodeURIComponent(id)}`)));
    const own = new Set(mine.map(({ _id }) => _id));
    const free = listed.filter(({ _id, status }) => status === 'Available' && !own.has(_id));
    const pictured = free.filter(({ image_url }) => image_url !== '');
    const read = () => buyer.call<Booking[]>('GET', '/bookings?email=buyer@example.com');
    let bookings = await read();
    const last = pictured.at(-1);
    const isOpen = ({ paid, hold }: Booking): boolean => !paid && hold === 'held';
    if (isOwn && !bookings.some(isOpen) && last !== undefined) {
      await book(buyer, last);
      bookings = await read();
    }
    const buyers = await seller.call<Booking[]>('GET', '/bookings/my_buyers?email=seller@example.com');
    const booked = new Set(bookings.map(({ listingId }) => listingId));
    const idOf = (copy: { readonly _id: string } | undefined): string => copy?._id ?? '';
    return {
      free: idOf(pictured[0] ?? free[0]),
      bare: idOf(free.find(({ image_url }) => image_url === '')),
      long: long ?? idOf(listed.toSorted((a, b) => b.title.length - a.title.length)[0]),
      arabic: idOf(listed.find(({ title }) => /\p{Script=Arabic}/u.test(title))),
      japanese: idOf(listed.find(({ title }) => /\p{Script=Han}/u.test(title))),
      reserved: idOf(listed.find(({ _id, status }) => status === 'Reserved' && !booked.has(_id))),
      booking: idOf(bookings.find(isOpen)),
      bought: bookings.find(({ orderId }) => orderId !== null)?.orderId ?? '',
      sold: buyers.find(({ orderId }) => orderId !== null)?.orderId ?? '',
      own: idOf(mine.find(({ status }) => status === 'Available')),
    };
  } finally {
    await Promise.all([visitor, buyer, seller].map((each) => each.leave()));
  }
};

/** A demo shop as `npm start` opens it, with its orders and photos. */
export const openShopToShow = (): Promise<PhotoShop> => openPhotoShop({ DEMO_ORDERS: '1' });
