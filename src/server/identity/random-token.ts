import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
/** What 32 bytes look like in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A secret of 256 random bits, in base64url. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Whether `text` could be such a secret at all; anything else need not be looked up. */
export const isToken = (text: string | undefined): text is string => text !== undefined && TOKEN.test(text);

/** What is stored of a secret that nobody could guess: it needs no slow hash. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
