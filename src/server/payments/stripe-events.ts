import type Stripe from 'stripe';
import { AppError } from '#server/platform/errors.ts';
import type { ProviderEvent, ProviderOptions } from './provider.ts';
import { idOf } from './stripe-client.ts';

/** How far an event's timestamp may be from our clock, before or after (the SDK only checks before). */
const TOLERANCE_SECONDS = 300;
const EVENT_ID = /^evt_\w{1,250}$/;
const ACCOUNT_ID = /^acct_\w{1,250}$/;

type Subject = Omit<ProviderEvent, 'id' | 'type' | 'isOfOtherMode'>;

const NOTHING: Subject = {
  intentId: undefined,
  disputeId: undefined,
  accountId: undefined,
  transferId: undefined,
  bankPayoutId: undefined,
};

/** Refuses a signature dated further ahead than the tolerance. */
const refuseFutureTimestamp = (signature: string): void => {
  const seconds = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? Number.NaN);
  if (!(seconds <= Date.now() / 1000 + TOLERANCE_SECONDS)) {
    throw new AppError('bad_request', 'The signature is dated in the future');
  }
};

const accountIn = (id: string | null | undefined): string | undefined =>
  id !== null && id !== undefined && ACCOUNT_ID.test(id) ? id : undefined;

/**
 * What an event speaks of: a buyer's money hangs on a payment intent, a seller's on their account. What an account
 * tells of payments of its own is none of ours.
 */
const subjectOf = (event: Stripe.Event): Subject => {
  const { object } = event.data;
  const accountId = accountIn(event.account);
  if (!('object' in object)) return { ...NOTHING, accountId };
  if (accountId !== undefined) {
    return { ...NOTHING, accountId, bankPayoutId: object.object === 'payout' ? object.id : undefined };
  }
  switch (object.object) {
    case 'payment_intent':
      return { ...NOTHING, intentId: object.id };
    case 'charge':
    case 'refund':
      return { ...NOTHING, intentId: idOf(object.payment_intent) };
    case 'dispute':
      return { ...NOTHING, intentId: idOf(object.payment_intent), disputeId: object.id };
    case 'transfer':
      return { ...NOTHING, transferId: object.id, accountId: accountIn(idOf(object.destination)) };
    case 'account':
      return { ...NOTHING, accountId: accountIn(object.id) };
    default:
      return NOTHING;
  }
};

/** A thin event has no object inside: it names the account that has changed. */
const accountOfNotice = (notice: Stripe.V2.Core.EventNotification): string | undefined => {
  const about = 'related_object' in notice ? notice.related_object : null;
  return about !== null && 'id' in about && typeof about.id === 'string' ? accountIn(about.id) : undefined;
};

/** Reads events by the secrets of the options: each endpoint at Stripe signs with one of its own. */
export const eventReader = (stripe: Stripe, options: ProviderOptions) => {
  const isLive = options.secretKey.slice(3).startsWith('live_');
  const secrets = [options.webhookSecret, ...(options.connectWebhookSecrets ?? [])];
  const isThin = (rawBody: Buffer): boolean => Object(JSON.parse(rawBody.toString('utf8'))).object === 'v2.core.event';
  const read = (rawBody: Buffer, signature: string, secret: string): ProviderEvent => {
    if (isThin(rawBody)) {
      const notice = stripe.parseEventNotification(rawBody, signature, secret, TOLERANCE_SECONDS);
      const { id, type, livemode } = notice;
      return { ...NOTHING, id, type, accountId: accountOfNotice(notice), isOfOtherMode: livemode === !isLive };
    }
    const event = stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SECONDS);
    return { id: event.id, type: event.type, ...subjectOf(event), isOfOtherMode: event.livemode === !isLive };
  };
  /** The event in a webhook's raw body, if its signature is genuine and within five minutes of now; else 400. */
  return async (rawBody: Buffer, signature: string): Promise<ProviderEvent> => {
    refuseFutureTimestamp(signature);
    for (const secret of secrets) {
      try {
        const event = read(rawBody, signature, secret);
        if (EVENT_ID.test(event.id)) return event;
      } catch {
        // signed with another one, or by nobody
      }
    }
    throw new AppError('bad_request', 'The signature does not match');
  };
};
