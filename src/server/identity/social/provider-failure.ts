import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { SocialFailure } from '#contract/users/social.ts';
import { SocialRefusal } from './provider.ts';

/** Error codes of OAuth with which a service says that it is not well itself. */
const UNWELL = new Set(['server_error', 'temporarily_unavailable']);

const isUnwell = (status: number): boolean => status >= 500 || status === 429;

const failureOf = (error: Error): SocialFailure => {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied';
    return UNWELL.has(error.error) ? 'down' : 'unusable';
  }
  if (error instanceof ResponseBodyError)
    return isUnwell(error.status) || UNWELL.has(error.error) ? 'down' : 'unusable';
  if (error instanceof ClientError) {
    if (error.code === 'OAUTH_TIMEOUT') return 'slow';
    return error.cause instanceof Response && isUnwell(error.cause.status) ? 'down' : 'unusable';
  }
  // What fetch throws when nobody answers.
  return error instanceof TypeError && error.message === 'fetch failed' ? 'down' : 'unusable';
};

const codesOf = (error: Error): string => {
  const codes = [error.name, 'code' in error ? error.code : undefined, 'error' in error ? error.error : undefined];
  return codes.filter((code) => typeof code === 'string').join(' ');
};

/**
 * Passes on what a call of the library answers; its failure as a `SocialRefusal`, without what it holds of codes and
 * tokens.
 */
export const told = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SocialRefusal || !(error instanceof Error)) throw error;
    if (error.cause instanceof SocialRefusal) throw error.cause;
    throw new SocialRefusal(failureOf(error), `${codesOf(error)}: ${error.message}`);
  }
};
