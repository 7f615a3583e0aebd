import type { FormObject } from './form.ts';
import type { Trx } from '#standins/stripe/store/store.ts';

/** What happens at one moment, whoever brought it about: its writes and its webhooks stand or fall together. */
export interface Deed {
  trx: Trx;
  /** Null for what no call brought about. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** How many webhook addresses there are. */
  endpoints: number;
  /** Ids of the webhooks this brings about. */
  deliveries: string[];
}

/** One call of the API, with what its handler may read and write. Handlers never wait: a call happens at one moment. */
export interface Call extends Deed {
  params: FormObject;
  /** The connected account that it is about, by the header `Stripe-Account`; null: the shop's own. */
  account: string | null;
  /** Where a browser finds this stand-in, without a slash at its end. */
  publicUrl: string;
  /** What stood for `:id` in the path. */
  id: string;
  /** Whether it came with the publishable key, from a browser: then less may be asked and less is told. */
  publishable: boolean;
  requestId: string;
}

/** A handler answers with the object to send, or throws a StripeFailure. */
export type Handler = (call: Call) => object;
