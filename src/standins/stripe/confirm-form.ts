import { STANDIN_PUBLISHABLE_KEY } from './keys.ts';

/** What Stripe.js sends to pay an intent with a card, with the client secret alone: where to, and the form. */
export const confirmForm = (clientSecret: string, number: string): { path: string; body: URLSearchParams } => ({
  path: `v1/payment_intents/${clientSecret.split('_secret')[0] ?? ''}/confirm`,
  body: new URLSearchParams({
    key: STANDIN_PUBLISHABLE_KEY,
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getUTCFullYear() + 2),
    'payment_method_data[card][cvc]': '123',
  }),
});
