import type Stripe from 'stripe';
import { unexpectedState } from '#standins/stripe/api/failure.ts';
import { intentFor } from './intent-object.ts';

/** The states this stand-in's payment intents go through: the card ones of Stripe's, with automatic capture. */
export type IntentStatus =
  | 'canceled'
  | 'processing'
  | 'requires_action'
  | 'requires_capture'
  | 'requires_confirmation'
  | 'requires_payment_method'
  | 'succeeded';

/** In which states each move is allowed, in the order Stripe's messages list them. */
export const ALLOWED_FROM = {
  cancel: ['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action', 'processing'],
  confirm: ['requires_payment_method', 'requires_confirmation', 'requires_action'],
  update: ['requires_payment_method', 'requires_confirmation', 'requires_action'],
} as const satisfies Record<string, readonly IntentStatus[]>;

type Move = keyof typeof ALLOWED_FROM;

function refusalOf(move: Move, status: string): string {
  const allowed = ALLOWED_FROM[move].join(', ');
  switch (move) {
    case 'cancel':
      return `You cannot cancel this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be canceled: ${allowed}.`;
    case 'confirm':
      if (status === 'succeeded') {
        return 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.';
      }
      return `You cannot confirm this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`;
    case 'update':
      return `This PaymentIntent's amount could not be updated because it has a status of ${status}. You may only update the amount of a PaymentIntent with one of the following statuses: ${allowed}.`;
  }
}

/** Throws Stripe's refusal, with the intent in it, when a move is not allowed in the intent's state. */
export function mustAllow(move: Move, intent: Stripe.PaymentIntent, call: { publishable: boolean }): void {
  const states: readonly string[] = ALLOWED_FROM[move];
  if (states.includes(intent.status)) return;
  throw unexpectedState(refusalOf(move, intent.status), intentFor(call, intent));
}
