import type { DeclineName } from './declines.ts';
import type { DisputeReason, ProcessingOutcome } from '#standins/stripe/store/tables.ts';

/** What Stripe documents about one of its test cards. */
export interface TestCard {
  brand: 'amex' | 'diners' | 'discover' | 'jcb' | 'mastercard' | 'unionpay' | 'visa';
  funding?: 'debit' | 'prepaid';
  country?: string;
  /** The bank asks for authentication before it answers. */
  challenge?: true;
  decline?: DeclineName;
  /** The charge succeeds, and its owner disputes it. */
  dispute?: DisputeReason;
  /** The payment is processed for a while first. */
  slowly?: ProcessingOutcome;
}

/**
 * Stripe's documented test cards (docs.stripe.com/testing), and two of this stand-in's own, as Stripe has none whose
 * payment is processed for a while; any other number is taken for a real one and refused.
 */
export const TEST_CARDS: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ['4242424242424242', { brand: 'visa' }],
  ['4000056655665556', { brand: 'visa', funding: 'debit' }],
  ['5555555555554444', { brand: 'mastercard' }],
  ['2223003122003222', { brand: 'mastercard' }],
  ['5200828282828210', { brand: 'mastercard', funding: 'debit' }],
  ['5105105105105100', { brand: 'mastercard', funding: 'prepaid' }],
  ['378282246310005', { brand: 'amex' }],
  ['371449635398431', { brand: 'amex' }],
  ['6011111111111117', { brand: 'discover' }],
  ['6011000990139424', { brand: 'discover' }],
  ['6011981111111113', { brand: 'discover', funding: 'debit' }],
  ['3056930009020004', { brand: 'diners' }],
  ['36227206271667', { brand: 'diners' }],
  ['3566002020360505', { brand: 'jcb' }],
  ['6200000000000005', { brand: 'unionpay', country: 'CN' }],
  ['6200000000000047', { brand: 'unionpay', country: 'CN', funding: 'debit' }],
  ['6205500000000000004', { brand: 'unionpay', country: 'CN' }],
  ['4000000760000002', { brand: 'visa', country: 'BR' }],
  ['4000001240000000', { brand: 'visa', country: 'CA' }],
  ['4000002500000003', { brand: 'visa', country: 'FR' }],
  ['4000002760000016', { brand: 'visa', country: 'DE' }],
  ['4000008260000000', { brand: 'visa', country: 'GB' }],
  ['4000000000000002', { brand: 'visa', decline: 'generic_decline' }],
  ['4000000000009995', { brand: 'visa', decline: 'insufficient_funds' }],
  ['4000000000009987', { brand: 'visa', decline: 'lost_card' }],
  ['4000000000009979', { brand: 'visa', decline: 'stolen_card' }],
  ['4000000000000069', { brand: 'visa', decline: 'expired_card' }],
  ['4000000000000127', { brand: 'visa', decline: 'incorrect_cvc' }],
  ['4000000000000119', { brand: 'visa', decline: 'processing_error' }],
  ['4000000000006975', { brand: 'visa', decline: 'card_velocity_exceeded' }],
  ['4100000000000019', { brand: 'visa', decline: 'fraudulent' }],
  ['4000002500003155', { brand: 'visa', country: 'FR', challenge: true }],
  ['4000002760003184', { brand: 'visa', country: 'DE', challenge: true }],
  ['4000003800000446', { brand: 'visa', country: 'HR', challenge: true }],
  ['4000000000003220', { brand: 'visa', challenge: true }],
  ['4000008260003178', { brand: 'visa', country: 'GB', challenge: true, decline: 'insufficient_funds' }],
  ['4000008400001629', { brand: 'visa', challenge: true, decline: 'generic_decline' }],
  ['4000000000003055', { brand: 'visa' }],
  ['4000000000000259', { brand: 'visa', dispute: 'fraudulent' }],
  ['4000000000002685', { brand: 'visa', dispute: 'product_not_received' }],
  ['4000007700000000', { brand: 'visa', slowly: 'succeeds' }],
  ['4000007700000018', { brand: 'visa', slowly: 'fails' }],
]);

/** Payment methods that stand for test cards in calls from a server, so that no number need travel. */
export const TEST_METHODS: ReadonlyMap<string, string> = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_visa_debit', '4000056655665556'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_amex', '378282246310005'],
  ['pm_card_visa_chargeDeclined', '4000000000000002'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_visa_chargeDeclinedLostCard', '4000000000009987'],
  ['pm_card_visa_chargeDeclinedStolenCard', '4000000000009979'],
  ['pm_card_chargeDeclinedExpiredCard', '4000000000000069'],
  ['pm_card_chargeDeclinedIncorrectCvc', '4000000000000127'],
  ['pm_card_chargeDeclinedProcessingError', '4000000000000119'],
  ['pm_card_authenticationRequired', '4000002500003155'],
  ['pm_card_threeDSecure2Required', '4000000000003220'],
  ['pm_card_createDispute', '4000000000000259'],
  ['pm_card_createDisputeProductNotReceived', '4000000000002685'],
]);
