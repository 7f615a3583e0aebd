import { AppError } from '#server/platform/errors.ts';

/** The sha-256 that the header `Content-Digest` says (RFC 9530); 400 where it says none. */
export const contentDigestOf = (header: string | string[] | undefined): Buffer => {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  const [, said] = /(?:^|,)[ \t]*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(text) ?? [];
  if (said === undefined)
    throw new AppError('bad_request', 'Say what is sent: Content-Digest: sha-256=:…: (RFC 9530) is missing');
  return Buffer.from(said, 'base64');
};
