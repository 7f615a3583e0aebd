import { ApiError } from '#web/api/api-error.ts';
import { confirmSignIn } from '#web/api/session.ts';

/**
 * Why somebody is asked to confirm that it is them: their sign-in is old, or an admin has not shown their passkey yet.
 */
export type ReauthenticationReason = 'fresh_sign_in_needed' | 'second_factor_needed';

interface Question {
  readonly reason: ReauthenticationReason;
  readonly answer: (confirmed: boolean) => void;
}

const listeners = new Set<() => void>();
let question: Question | undefined;

const become = (next: Question | undefined): void => {
  question = next;
  for (const listener of listeners) listener();
};

/** What `ReauthenticationDialog` is to ask now; the same object until it changes. */
export const reauthenticationQuestion = (): Question | undefined => question;
export const noQuestion = (): undefined => undefined;

export const subscribeToReauthentication = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const ask = (reason: ReauthenticationReason): Promise<boolean> => {
  question?.answer(false);
  return new Promise((resolve) => {
    const answer = (confirmed: boolean): void => {
      if (question?.answer === answer) become(undefined);
      resolve(confirmed);
    };
    become({ reason, answer });
  });
};

const reasonOf = (error: unknown): ReauthenticationReason | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  const { code } = error;
  return code === 'fresh_sign_in_needed' || code === 'second_factor_needed' ? code : undefined;
};

/**
 * Does what may need a fresh sign-in. Where it does, the person is asked to confirm that it is them
 * (`ReauthenticationDialog` must be on the page) and it is done again, with everything as it was. Gives up with an
 * `ApiError` when they would rather not.
 */
export const withFreshSignIn = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    if (await ask(reason)) return work();
    const message = 'Nothing was changed: you did not confirm that it is you.';
    throw new ApiError({ status: 403, code: reason, message });
  }
};

/** As `withFreshSignIn`, for somebody who typed their password already: it is shown for them first. */
export const withPassword = async <A>(password: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (reasonOf(error) !== 'fresh_sign_in_needed') throw error;
    await confirmSignIn({ password });
    return work();
  }
};
