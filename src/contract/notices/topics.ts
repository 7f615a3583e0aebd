/** What something that happens is about: so it is shown in the bell, and so its mails are chosen. */
export interface Topic {
  readonly id: string;
  readonly label: string;
  /** What one hears of, in a sentence. */
  readonly about: string;
  /** Whether it is mailed in any case: money and what keeps an account safe. */
  readonly isAlwaysMailed: boolean;
}

/** All topics, in the order in which they are chosen. */
export const TOPICS = [
  {
    id: 'orders',
    label: 'Orders and money',
    about: 'Receipts, sales, deadlines of orders, refunds and payouts.',
    isAlwaysMailed: true,
  },
  {
    id: 'account',
    label: 'Your account',
    about: 'Sign-ins, passwords, and what the shop decides about you or your books.',
    isAlwaysMailed: true,
  },
  {
    id: 'bookings',
    label: 'Books you booked',
    about: 'A book is reserved for you, or no longer is.',
    isAlwaysMailed: false,
  },
  {
    id: 'line',
    label: 'Lines you wait in',
    about: 'It is your turn, or the book is gone.',
    isAlwaysMailed: false,
  },
  {
    id: 'wants',
    label: 'Books you look for',
    about: 'A copy of one has come, and is reserved for you.',
    isAlwaysMailed: false,
  },
  {
    id: 'watched',
    label: 'What you follow',
    about: 'Once a day: books you marked, searches you saved, and sellers you follow.',
    isAlwaysMailed: false,
  },
  {
    id: 'reviews',
    label: 'Reviews',
    about: 'You can review an order, or somebody reviewed you or replied.',
    isAlwaysMailed: false,
  },
  {
    id: 'messages',
    label: 'Messages',
    about: 'Somebody wrote to you.',
    isAlwaysMailed: false,
  },
] as const satisfies readonly Topic[];

export type TopicId = (typeof TOPICS)[number]['id'];

/** A topic whose mails can be chosen. */
export type ChosenTopicId = Extract<(typeof TOPICS)[number], { isAlwaysMailed: false }>['id'];

export const CHOSEN_TOPICS = TOPICS.filter(({ isAlwaysMailed }) => !isAlwaysMailed) as readonly (Topic & {
  readonly id: ChosenTopicId;
})[];

/** Whether mails of a topic can be chosen. */
export const isChosen = (topic: string): topic is ChosenTopicId => CHOSEN_TOPICS.some(({ id }) => id === topic);
