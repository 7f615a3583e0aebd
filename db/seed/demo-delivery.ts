import { DEFAULT_DELIVERY, type DeliveryTerms } from '#contract/delivery/delivery.ts';

const BY_POST: DeliveryTerms = {
  ...DEFAULT_DELIVERY,
  post: true,
  firstCents: 400,
  furtherCents: 150,
  freeFromCents: 3_000,
  countries: ['US'],
};

/** How the books of the demo's sellers come to their buyers: each in a way of their own, some never said. */
export const DEMO_DELIVERY: ReadonlyMap<string, DeliveryTerms> = new Map([
  ['seller@example.com', { ...BY_POST, countries: ['US', 'CA', 'GB'] }],
  ['hannah.weiss@example.com', { ...BY_POST, firstCents: 350, furtherCents: 100, freeFromCents: null, daysToPost: 2 }],
  ['priya.raman@example.com', { ...BY_POST, firstCents: 0, furtherCents: 0, freeFromCents: null }],
  [
    'ruth.abernathy@example.com',
    { ...DEFAULT_DELIVERY, pickupPlace: 'Madison, WI, at the farmers’ market', daysToPost: 5 },
  ],
  ['clement.dubois@example.com', { ...BY_POST, pickup: false, firstCents: 300, freeFromCents: null }],
  [
    'oddfellow.lane@example.com',
    {
      ...BY_POST,
      firstCents: 550,
      furtherCents: 250,
      freeFromCents: 5_000,
      countries: ['US', 'CA', 'GB', 'IE', 'DE', 'FR', 'AU', 'NZ'],
      daysToPost: 1,
    },
  ],
  ['jun.takeda@example.com', { ...BY_POST, furtherCents: 400, freeFromCents: null, daysToPost: 7 }],
]);
