import { expect, test } from 'vitest';
import { requirementWords } from './requirement-words.policy.ts';

test.each([
  ['identity.individual.given_name', 'Your first name'],
  ['identity.individual.documents.primary_verification', 'A picture of your identity document'],
  ['configuration.recipient.default_outbound_destination', 'Your bank account'],
  ['identity.attestations.terms_of_service.account', 'That you accept the payment service’s terms'],
  ['identity.individual.proof_of_life', 'Proof of life'],
  ['', 'More about you'],
])('%s is %s to a seller', (name, words) => {
  expect(requirementWords(name)).toBe(words);
});
