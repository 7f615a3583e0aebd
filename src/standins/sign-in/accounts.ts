import { createHash } from 'node:crypto';

/** Somebody with an account at the service. */
export interface Account {
  readonly name: string;
  readonly email: string;
  readonly verified: boolean;
  /** May be empty. */
  readonly picture: string;
}

const MAX_TEXT_LENGTH = 300;

/** Accounts to pick from. */
export const TEST_ACCOUNTS: readonly Account[] = [
  { name: 'Ada Marlowe', email: 'ada.marlowe@example.com', verified: true, picture: '' },
  { name: 'Ben Okafor', email: 'ben.okafor@example.org', verified: true, picture: '' },
  { name: 'Noor Lindqvist', email: 'noor.lindqvist@example.com', verified: false, picture: '' },
];

/** The account a form was filled in for; undefined when there is no address in it. */
export function typedAccount(form: URLSearchParams): Account | undefined {
  const text = (name: string): string => (form.get(name) ?? '').trim().slice(0, MAX_TEXT_LENGTH);
  const email = text('email');
  if (!/^\S+@\S+$/.test(email)) return undefined;
  return { name: text('name'), email, verified: form.get('verified') === 'yes', picture: text('picture') };
}

function digest(account: Account): string {
  return createHash('sha256').update(account.email.toLowerCase()).digest('hex');
}

/** The number by which the stand-in for Github knows an account: the same whenever its address is typed. */
export function numberOf(account: Account): number {
  return Number.parseInt(digest(account).slice(0, 10), 16) + 1;
}

/** The subject by which the stand-in for Google knows an account, 21 digits as Google's are. */
export function subjectOf(account: Account): string {
  return (10n ** 20n + BigInt(`0x${digest(account).slice(0, 16)}`)).toString();
}

/** The login name at the stand-in for Github. */
export function loginOf(account: Account): string {
  return (account.email.split('@')[0] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
