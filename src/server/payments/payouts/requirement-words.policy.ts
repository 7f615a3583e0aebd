/** What the provider's names for what it wants to know mean to a seller; the first that fits. */
const WORDS: readonly (readonly [name: RegExp, words: string])[] = [
  [/documents\..*primary|verification\.document/, 'A picture of your identity document'],
  [/documents\..*secondary|additional_document/, 'A second document that shows where you live'],
  [/documents/, 'A document'],
  [/given_name|first_name/, 'Your first name'],
  [/surname|last_name/, 'Your last name'],
  [/date_of_birth|dob/, 'Your date of birth'],
  [/id_number|ssn|tax_id/, 'Your tax or identity number'],
  [/address/, 'Your address'],
  [/email/, 'Your email address'],
  [/phone/, 'Your phone number'],
  [/external_account|payout_method|outbound_destination|default_outbound|bank/, 'Your bank account'],
  [/terms_of_service|tos_acceptance|attestations/, 'That you accept the payment service’s terms'],
  [/product_description|mcc|business_details|url/, 'What you sell'],
];

/** What the provider wants, in words; a name that nobody knows here is spelt out: `Proof of life`. */
export const requirementWords = (name: string): string => {
  const known = WORDS.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known;
  const last = name.split('.').at(-1)?.replaceAll('_', ' ').trim() ?? '';
  return last === '' ? 'More about you' : last.charAt(0).toUpperCase() + last.slice(1);
};
