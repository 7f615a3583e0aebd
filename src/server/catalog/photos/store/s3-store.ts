import type { Disk } from 'flydrive';
import type { S3Config } from '#server/platform/config.ts';
import { memoise } from '#server/platform/memoise.ts';
import { causesOf, checkKey, isSame, StoredOtherwiseError, StoreFullError, type PhotoStore } from './stored.ts';

const CONNECT_MS = 3_000;
/** For one try at a photo of some 100 kB. */
const ANSWER_MS = 10_000;
const TRIES = 3;

/** The client is an optional package: a shop with a folder neither needs nor loads it. */
const openDisk = async (config: S3Config, answerMs: number): Promise<Disk> => {
  const { bucket, region, endpoint, credentials } = config;
  const { Disk } = await import('flydrive');
  const { S3Driver } = await import('flydrive/drivers/s3').catch((error: unknown) => {
    throw new Error(
      'PHOTO_STORE=s3 needs @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner: npm ci installs them.',
      {
        cause: error,
      },
    );
  });
  return new Disk(
    new S3Driver({
      bucket,
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      visibility: 'private',
      // Many stores have no rights of single objects, or refuse them.
      supportsACL: false,
      // Otherwise bodies go in chunks with a trailer, which some stores keep as part of the photo.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: TRIES,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: answerMs,
        throwOnRequestTimeout: true,
        socketTimeout: answerMs,
      },
    }),
  );
};

const statusOf = (error: Error): number | undefined => {
  const { $metadata: told } = error as { $metadata?: { httpStatusCode?: number } };
  return told?.httpStatusCode;
};

/** A bucket that is not there is 404, too, and no reason to think that its photos are gone. */
const saysGone = (error: unknown): boolean => [...causesOf(error)].some(({ name }) => name === 'NoSuchKey');

/** MinIO answers 507, Ceph names its quota. */
const saysFull = (error: unknown): boolean =>
  [...causesOf(error)].some((cause) => statusOf(cause) === 507 || cause.name === 'QuotaExceeded');

/** Photos in a bucket, each an object of its key. */
export const createS3Store = (config: S3Config, { answerMs = ANSWER_MS } = {}): PhotoStore => {
  const disk = memoise(() => openDisk(config, answerMs));

  const read = async (key: string): Promise<Uint8Array | undefined> => {
    const open = await disk();
    try {
      return await open.getBytes(key);
    } catch (error) {
      if (saysGone(error)) return undefined;
      throw error;
    }
  };

  return {
    put: async (key, bytes, type) => {
      checkKey(key);
      const open = await disk();
      try {
        await open.put(key, bytes, { contentType: type, contentLength: bytes.length });
      } catch (error) {
        if (saysFull(error)) throw new StoreFullError(error);
        throw error;
      }
      if (isSame(await read(key), bytes)) return;
      await open.delete(key);
      throw new StoredOtherwiseError(key);
    },
    get: async (key) => {
      checkKey(key);
      return read(key);
    },
    delete: async (keys) => {
      const open = await disk();
      for (const key of keys) {
        checkKey(key);
        await open.delete(key);
      }
    },
    keys: async function* (prefix) {
      const open = await disk();
      for (let token: string | undefined, more = true; more; more = token !== undefined) {
        const page = await open.listAll(prefix === '' ? '/' : prefix, {
          recursive: true,
          ...(token && { paginationToken: token }),
        });
        for (const file of page.objects) {
          if (!file.isFile || !file.key.startsWith(prefix)) continue;
          const { lastModified } = await file.getMetaData();
          yield { key: file.key, at: lastModified };
        }
        token = page.paginationToken;
      }
    },
  };
};
