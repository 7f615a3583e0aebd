import {
  PROVIDER_NAMES,
  SOCIAL_FAILURES,
  type Provider,
  type SocialFailure,
  type SocialPage,
} from '#contract/users/social.ts';

/** What can also happen, on this side: the person closed the window, or the page could not ask the shop. */
export type Failure = SocialFailure | 'window-closed';

/** `otherwise` is the other way on, where there is one: `, or use your email and password`. */
type Sentence = (name: string, otherwise: string) => string;

const SENTENCES: Record<Failure, Sentence> = {
  denied: (name, otherwise) =>
    `${name} did not let you in here, so nothing has changed. Press ${name} to try again${otherwise}.`,
  unverified: (name, otherwise) =>
    `${name} has not verified your email address yet. Confirm it at ${name} and try again${otherwise}.`,
  down: (name, otherwise) => `${name} does not answer at the moment. Please try again in a few minutes${otherwise}.`,
  slow: (name, otherwise) => `${name} took too long to answer. Please try again${otherwise}.`,
  unusable: (name) => `${name}'s answer could not be trusted, so nothing has changed. Please press ${name} again.`,
  lost: (name) =>
    `This began in another browser, was finished before, or is older than ten minutes. Please press ${name} again.`,
  unproven: (name) =>
    `There is an account with your address already, but nobody has confirmed the address yet. Sign in with its password and confirm it, or press “Forgot password?” to get the account by mail; then ${name} works too.`,
  deleted: () =>
    'This account was deleted and cannot be used any more. Please write to us if you think that is a mistake.',
  'other-linked': (name) =>
    `Your account here opens with another ${name} account. Choose that one, or unlink it on your account page first.`,
  taken: (name) => `That ${name} account opens another account here. Sign in with it and unlink it there first.`,
  'other-person': (name) => `That is not the ${name} account that is linked to yours. Please choose the linked one.`,
  'signed-out': () => 'You were signed out meanwhile. Please sign in and try again.',
  'too-many': (_name, otherwise) => `There were many tries from your network. Please try again in an hour${otherwise}.`,
  closed: (name, otherwise) => `${name} is not set up in this shop${otherwise.replace(', or', ': please')}.`,
  unavailable: () => 'The shop is taking a short break. Please try again in a moment.',
  'window-closed': (name) => `The window of ${name} was closed before you were done. Press ${name} to open it again.`,
};

/** What to say on a page, and what to do about it. */
export const failureSentence = (page: SocialPage, provider: Provider, failure: Failure): string =>
  SENTENCES[failure](PROVIDER_NAMES[provider], page === 'account' ? '' : ', or use your email and password');

/** Whether `text`, from an address or a message, names a failure. */
export const isFailure = (text: unknown): text is SocialFailure => SOCIAL_FAILURES.some((failure) => failure === text);
