import type Stripe from 'stripe';
import { STANDIN_PUBLISHABLE_KEY, STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';

/** What the provider knows at the end. */
export interface ProviderBooks {
  readonly intents: readonly Stripe.PaymentIntent[];
  readonly charges: readonly Stripe.Charge[];
  readonly refunds: readonly Stripe.Refund[];
  readonly disputes: readonly Stripe.Dispute[];
  readonly eventIds: ReadonlySet<string>;
  /** Webhooks that were not accepted yet. */
  readonly pendingWebhooks: number;
}

export type Provider = ReturnType<typeof providerAt>;

const PAGE = 100;

/** The stand-in as the run sees it: its books, its controls, and the browser's way to pay. */
export const providerAt = (url: string) => {
  const asMerchant = { Authorization: `Bearer ${STANDIN_SECRET_KEY}` };

  const all = async <Row extends { id: string }>(path: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (;;) {
      const after = rows.at(-1)?.id;
      const query = `limit=${PAGE}${after === undefined ? '' : `&starting_after=${after}`}`;
      const answer = await fetch(`${url}/v1/${path}?${query}`, { headers: asMerchant });
      const page = (await answer.json()) as { data: Row[]; has_more: boolean };
      rows.push(...page.data);
      if (!page.has_more) return rows;
    }
  };

  const control = async (path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> => {
    const answer = await fetch(`${url}/${path}`, { method: 'POST', headers: asMerchant, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  return {
    url,
    control,
    readBooks: async (): Promise<ProviderBooks> => {
      // Events last: an event of something that is missing above would only be too new.
      const [intents, charges, refunds, disputes] = [
        await all<Stripe.PaymentIntent>('payment_intents'),
        await all<Stripe.Charge>('charges'),
        await all<Stripe.Refund>('refunds'),
        await all<Stripe.Dispute>('disputes'),
      ];
      const events = await all<Stripe.Event>('events');
      const pendingWebhooks = events.filter((event) => event.pending_webhooks > 0).length;
      return { intents, charges, refunds, disputes, eventIds: new Set(events.map(({ id }) => id)), pendingWebhooks };
    },
    /** Pays as Stripe.js does in a browser. Answers the intent's status, `declined`, or undefined when no answer came. */
    confirm: async (clientSecret: string, card: string): Promise<string | undefined> => {
      const id = clientSecret.split('_secret')[0] ?? '';
      const form = new URLSearchParams({
        key: STANDIN_PUBLISHABLE_KEY,
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': card,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': String(new Date().getUTCFullYear() + 2),
        'payment_method_data[card][cvc]': '123',
      });
      try {
        const answer = await fetch(`${url}/v1/payment_intents/${id}/confirm`, { method: 'POST', body: form });
        const body = (await answer.json()) as { status?: string; error?: { payment_intent?: { status?: string } } };
        if (answer.ok) return body.status;
        return answer.status === 402 ? 'declined' : body.error?.payment_intent?.status;
      } catch {
        return undefined;
      }
    },
    /** What the browser sees of an intent. */
    statusOf: async (clientSecret: string): Promise<string | undefined> => {
      const id = clientSecret.split('_secret')[0] ?? '';
      const query = new URLSearchParams({ key: STANDIN_PUBLISHABLE_KEY, client_secret: clientSecret });
      try {
        return ((await (await fetch(`${url}/v1/payment_intents/${id}?${query}`)).json()) as { status?: string }).status;
      } catch {
        return undefined;
      }
    },
    /** A refund made at the provider, past the shop. */
    refund: async (intentId: string): Promise<void> => {
      const body = new URLSearchParams({ payment_intent: intentId });
      await (await fetch(`${url}/v1/refunds`, { method: 'POST', headers: asMerchant, body })).body?.cancel();
    },
  };
};
