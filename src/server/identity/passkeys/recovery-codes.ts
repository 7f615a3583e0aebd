import { createHash, randomBytes } from 'node:crypto';
import type { Trx } from '#server/platform/postgres/db.ts';
import { replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes.queries.ts';

export const RECOVERY_CODES = 10;
/** Sixteen characters of five bits: 80 bits, which nobody guesses and which need no slow hash. */
const CHARACTERS = 16;
const GROUP = 4;
/** Crockford's alphabet: no letter that is taken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const newCode = (): string => {
  // 256 is a multiple of 32: no character is likelier than another
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length] ?? '');
  const groups = Array.from({ length: CHARACTERS / GROUP }, (_, at) =>
    characters.slice(at * GROUP, (at + 1) * GROUP).join(''),
  );
  return groups.join('-');
};

/** A code as it was typed, perhaps in capitals, with spaces, and with letters that look like what was meant. */
const plain = (typed: string): string =>
  typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');

/** The user's id makes a code worth something for one account only. */
const hashOf = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId}:${plain(code)}`)
    .digest();

/** Gives the user ten new codes in place of those from before; answers them, which is the only time they are known. */
export const makeRecoveryCodes = async (trx: Trx, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => hashOf(userId, code)),
  );
  return codes;
};

/** Spends a code, however it was typed; answers whether it was good. */
export const useRecoveryCode = (trx: Trx, userId: string, typed: string): Promise<boolean> =>
  spendRecoveryCode(trx, userId, hashOf(userId, typed));
