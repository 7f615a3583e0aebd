import type { OrderMoveRequest } from '#contract/orders/orders.ts';
import type { ReviewDraft } from '#contract/orders/reviews.ts';

type Party = 'buyer' | 'seller';

/** What somebody does with an order of the demo shop: a move, a note, a review, or what time does when nobody acts. */
export type Step =
  | { readonly by: Party; readonly does: OrderMoveRequest }
  | { readonly by: Party; readonly writes: string }
  | { readonly by: Party; readonly reviews: ReviewDraft }
  | { readonly by: 'clock'; readonly does: 'close' };

/** An order of the demo shop and how it came to where it stands. */
export interface Story {
  /** Of the seller's own, by their place among them; several go in one parcel. */
  readonly copies: readonly number[];
  readonly delivery: 'pickup' | 'post';
  /** It goes to another country, whose law lets the buyer withdraw. */
  readonly isAbroad?: boolean;
  /** The card's owner asks their bank for the money back. */
  readonly isDisputed?: boolean;
  readonly steps: readonly Step[];
}

const buyer = (move: string, more: Omit<OrderMoveRequest, 'move'> = {}): Step => ({
  by: 'buyer',
  does: { move, ...more },
});
const seller = (move: string, more: Omit<OrderMoveRequest, 'move'> = {}): Step => ({
  by: 'seller',
  does: { move, ...more },
});
const writes = (by: Party, text: string): Step => ({ by, writes: text });
const reviews = (by: Party, stars: number, words: string, facts: Partial<ReviewDraft> = {}): Step => ({
  by,
  reviews: { stars, words, ...facts },
});

const posted = (tracking: string): Step => seller('post', { carrier: 'USPS', tracking });
const ready = seller('make-ready', {
  place: 'Marlow Books, 14 Paper Lane, at the counter',
  times: 'Saturday, 10 to 12 or Monday, after 5 PM',
});
const received = (tracking: string): readonly Step[] => [posted(tracking), buyer('receive')];
const complained = (tracking: string, words: string, kind: 'damaged' | 'not-as-described'): readonly Step[] => [
  ...received(tracking),
  buyer('report-problem', { kind, words, ...(kind === 'not-as-described' && { statement: 'details' }) }),
];

const ASKED_BACK = seller('ask-back', {
  sendBack:
    'Ask for a prepaid return label in my name at any USPS counter: it is 9405 5000 0000 0000 0000 31. It goes to Marlow Books, 14 Paper Lane, Portland, OR 97201.',
});
const TORN = 'The dust jacket is torn along the spine, which was not said.';
const WET = 'The parcel was wet, and the last chapters are wavy.';

/** One for each place where an order can stand, the ends first: the newest are what is to be done. */
export const DEMO_STORIES: readonly Story[] = [
  {
    copies: [0],
    delivery: 'post',
    steps: [
      ...received('9400 1000 0000 0000 0000 01'),
      { by: 'clock', does: 'close' },
      reviews('buyer', 5, 'Packed like china, and the book is lovely.', {
        asDescribed: true,
        wellPacked: true,
        inTime: true,
      }),
      reviews('seller', 5, 'Quick to pay and to answer.'),
    ],
  },
  {
    copies: [1],
    delivery: 'post',
    steps: [
      ...complained('9400 1000 0000 0000 0000 02', WET, 'damaged'),
      seller('refund-problem'),
      reviews('seller', 4, 'A pity about the rain. Fair all the same.'),
    ],
  },
  {
    copies: [2],
    delivery: 'post',
    steps: [
      ...complained('9400 1000 0000 0000 0000 03', TORN, 'not-as-described'),
      seller('offer-part', { amount: 2 }),
      buyer('refund-part', { amount: 2 }),
    ],
  },
  {
    copies: [3],
    delivery: 'post',
    steps: [
      ...complained('9400 1000 0000 0000 0000 04', 'A page seems to be missing.', 'not-as-described'),
      writes('seller', 'Page 112 is a plate; the text goes on at 113.'),
      writes('buyer', 'You are right, it is all there. I am sorry.'),
      buyer('keep'),
      reviews('buyer', 4, 'Nice people. They are at www.marlow-books.example, too.', { asDescribed: true }),
    ],
  },
  { copies: [4], delivery: 'post', steps: [buyer('cancel')] },
  { copies: [5], delivery: 'pickup', steps: [seller('refuse', { reason: 'It was sold in the shop this morning.' })] },
  { copies: [6], delivery: 'post', isDisputed: true, steps: [] },
  {
    copies: [7],
    delivery: 'post',
    steps: [posted('9400 1000 0000 0000 0000 05'), seller('come-back', { why: 'unclaimed' })],
  },
  {
    copies: [8],
    delivery: 'post',
    steps: [...complained('9400 1000 0000 0000 0000 06', TORN, 'not-as-described'), ASKED_BACK],
  },
  {
    copies: [9],
    delivery: 'post',
    steps: [...complained('9400 1000 0000 0000 0000 07', WET, 'damaged'), ASKED_BACK, buyer('post-back')],
  },
  {
    copies: [10],
    delivery: 'post',
    steps: [
      ...complained('9400 1000 0000 0000 0000 08', TORN, 'not-as-described'),
      seller('offer-part', { amount: 1.5 }),
      buyer('ask-admin'),
    ],
  },
  {
    copies: [11],
    delivery: 'post',
    steps: [
      ...complained('9400 1000 0000 0000 0000 09', TORN, 'not-as-described'),
      seller('offer-part', { amount: 3 }),
    ],
  },
  {
    copies: [12],
    delivery: 'post',
    steps: [
      ...complained('9400 1000 0000 0000 0000 10', WET, 'damaged'),
      writes('buyer', 'I can send you a picture, if that helps.'),
    ],
  },
  {
    copies: [21],
    delivery: 'post',
    isAbroad: true,
    steps: [...received('LN 000 000 013 US'), buyer('withdraw', { reason: 'I have it twice now.' })],
  },
  { copies: [22], delivery: 'post', isAbroad: true, steps: received('LN 000 000 014 US') },
  { copies: [13], delivery: 'post', steps: received('9400 1000 0000 0000 0000 11') },
  { copies: [14, 15], delivery: 'post', steps: [posted('9400 1000 0000 0000 0000 12')] },
  {
    copies: [16],
    delivery: 'pickup',
    steps: [ready, writes('buyer', 'Saturday suits me.'), writes('seller', 'Good. Ask for Ruth at the counter.')],
  },
  { copies: [17], delivery: 'pickup', steps: [] },
  {
    copies: [18, 19],
    delivery: 'post',
    steps: [writes('buyer', 'It is a present: please leave the bill out of the parcel.')],
  },
];
