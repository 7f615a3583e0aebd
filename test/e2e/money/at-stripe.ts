import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';

/** What the stand-in answers to `GET /v1/{path}`, as Stripe would; of one of its accounts where that is named. */
export const askStripe = async <Answer>(shop: { readonly url: string }, path: string, account?: string) => {
  const headers = {
    authorization: `Bearer ${STANDIN_SECRET_KEY}`,
    ...(account !== undefined && { 'stripe-account': account }),
  };
  const answer = await fetch(`${shop.url}/standins/stripe/v1/${path}`, { headers });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
};

/** A list of the stand-in's, newest first. */
export const listAtStripe = async <Row>(shop: { readonly url: string }, path: string, account?: string) =>
  (await askStripe<{ data: Row[] }>(shop, path, account)).data;

interface Balance {
  readonly available: readonly { readonly amount: number }[];
  readonly pending: readonly { readonly amount: number }[];
}

/** What the shop, or one of the accounts, has there in all, in cents. */
export const balanceAtStripe = async (shop: { readonly url: string }, account?: string): Promise<number> => {
  const { available, pending } = await askStripe<Balance>(shop, 'balance', account);
  return [...available, ...pending].reduce((sum, { amount }) => sum + amount, 0);
};
