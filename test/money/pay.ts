import { confirmForm } from '#standins/stripe/confirm-form.ts';

/** Confirms an intent as Stripe.js does, with the client secret alone; answers the intent, or `{ error }`. */
export const confirmCard = async (
  standin: URL,
  clientSecret: string,
  number: string,
): Promise<Record<string, unknown>> => {
  const { path, body } = confirmForm(clientSecret, number);
  const answer = await fetch(new URL(path, standin), { method: 'POST', body });
  return (await answer.json()) as Record<string, unknown>;
};
