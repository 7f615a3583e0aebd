import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may ask, as an object store knows them. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Why a request is not believed, by the names that S3 has for it. */
export type Refusal =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'RequestTimeTooSkewed'
  | 'XAmzContentSHA256Mismatch';

/** S3 takes clocks that are off by no more. */
const SKEW_MS = 15 * 60_000;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const dateOf = (stamp: string): Date => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

/**
 * Checks Signature Version 4 of a request and its body (docs.aws.amazon.com, "Authenticating Requests: Using the
 * Authorization Header"); undefined where it is right.
 */
export const refusalOf = (request: IncomingMessage, body: Buffer, keys: S3Keys): Refusal | undefined => {
  const { headers, method = '', url = '' } = request;
  const [, keyId, scope = '', region, signed = '', signature = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (keyId === undefined) return 'AccessDenied';
  if (keyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  const stamp = String(headers['x-amz-date'] ?? '');
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  const names = signed.split(';');
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (!names.includes('host') || unsigned.length > 0) return 'AccessDenied';
  if (!(Math.abs(Date.now() - dateOf(stamp).getTime()) < SKEW_MS)) return 'RequestTimeTooSkewed';
  const [place = '', query = ''] = url.split('?', 2);
  const canonical = [
    method,
    place,
    [...new URLSearchParams(query)]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replaceAll(/ +/g, ' ')}`,
    ),
    '',
    signed,
    payload,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, hash(canonical)].join('\n');
  const key = hmac(hmac(hmac(`AWS4${keys.secretAccessKey}`, scope.slice(0, 8)), region ?? ''), 's3');
  const expected = hmac(hmac(key, 'aws4_request'), toSign);
  if (!scope.startsWith(stamp.slice(0, 8)) || !timingSafeEqual(expected, Buffer.from(signature, 'hex')))
    return 'SignatureDoesNotMatch';
  if (/^[0-9a-f]{64}$/.test(payload) && payload !== hash(body)) return 'XAmzContentSHA256Mismatch';
  return undefined;
};
