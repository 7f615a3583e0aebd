import { STANDIN_PUBLISHABLE_KEY } from '#standins/stripe/keys.ts';

/** Confirms an intent as Stripe.js does, with the client secret alone; answers the intent, or `{ error }`. */
export const confirmCard = async (
  standin: URL,
  clientSecret: string,
  number: string,
): Promise<Record<string, unknown>> => {
  const id = clientSecret.split('_secret')[0] ?? '';
  const body = new URLSearchParams({
    key: STANDIN_PUBLISHABLE_KEY,
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getUTCFullYear() + 2),
    'payment_method_data[card][cvc]': '123',
  });
  const answer = await fetch(new URL(`v1/payment_intents/${id}/confirm`, standin), { method: 'POST', body });
  return (await answer.json()) as Record<string, unknown>;
};
