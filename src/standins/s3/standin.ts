import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { refusalOf, type Refusal, type S3Keys } from './signature.ts';

/** What goes wrong: an error of the store, no answer, half an answer, other bytes stored than sent, no room. */
export type Fault = 'down' | 'silent' | 'cut' | 'other-bytes' | 'full';

export interface S3Object {
  readonly bytes: Buffer;
  readonly type: string;
  readonly at: Date;
}

export interface S3StandIn {
  /** What is stored, by key. */
  readonly objects: ReadonlyMap<string, S3Object>;
  /** What was asked, such as `PUT ab/x.webp`. */
  readonly calls: readonly string[];
  /** The next so many calls go wrong; of those of one method where it is named. */
  fail(fault: Fault, times?: number, method?: string): void;
  /** Listens on 127.0.0.1 and resolves with the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

interface Asked {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const STATUS = {
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
  XAmzContentSHA256Mismatch: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  MethodNotAllowed: 405,
  InternalError: 500,
  NotImplemented: 501,
  XMinioStorageFull: 507,
} as const satisfies Record<Refusal, number> & Record<string, number>;

/** Fewer than Amazon's 1,000, so that lists have several pages. */
const PAGE = 3;

const xml = (content: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
});

const refuse = (code: keyof typeof STATUS): Reply => ({
  ...xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`),
  status: STATUS[code],
});

const tagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

const headersOf = ({ bytes, type, at }: S3Object): Record<string, string> => ({
  'content-type': type,
  'content-length': String(bytes.length),
  'last-modified': at.toUTCString(),
  etag: tagOf(bytes),
});

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** ListObjectsV2, in pages. */
const list = (objects: ReadonlyMap<string, S3Object>, query: URLSearchParams): Reply => {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const rest = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).toSorted();
  const page = rest.slice(0, PAGE);
  const more = rest.length > PAGE;
  const contents = page.map(
    ([key, { bytes, at }]) =>
      `<Contents><Key>${escape(key)}</Key><LastModified>${at.toISOString()}</LastModified>` +
      `<ETag>${tagOf(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`,
  );
  const next = more ? `<NextContinuationToken>${escape(page.at(-1)?.[0] ?? '')}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  );
};

const answerOne = (objects: Map<string, S3Object>, asked: Asked, spoil: boolean): Reply => {
  const { method, key, body, headers } = asked;
  const found = objects.get(key);
  switch (method) {
    case 'PUT': {
      // Some stores keep the chunks and the trailer as part of the object; this one says that it cannot read them.
      if (headers['content-encoding']?.includes('aws-chunked') || headers['x-amz-trailer'] !== undefined)
        return refuse('NotImplemented');
      const bytes = spoil ? Buffer.concat([body, Buffer.from('\r\n0\r\n')]) : body;
      objects.set(key, { bytes, type: headers['content-type'] ?? 'binary/octet-stream', at: new Date() });
      return { status: 200, headers: { etag: tagOf(bytes) } };
    }
    case 'DELETE':
      objects.delete(key);
      return { status: 204 };
    case 'HEAD':
      return found === undefined ? { status: 404 } : { status: 200, headers: headersOf(found) };
    case 'GET':
      return found === undefined ? refuse('NoSuchKey') : { status: 200, headers: headersOf(found), body: found.bytes };
    default:
      return refuse('MethodNotAllowed');
  }
};

/**
 * A stand-in of an object store that speaks S3, with one bucket, addressed by path: PUT, GET, HEAD, DELETE,
 * ListObjectsV2. It believes only right signatures of `keys`, and refuses bodies in chunks.
 */
export const createS3StandIn = (bucket: string, keys: S3Keys): S3StandIn => {
  const objects = new Map<string, S3Object>();
  const calls: string[] = [];
  let failing: { fault: Fault; times: number; method: string | undefined } | undefined;

  const faultOf = (method: string): Fault | undefined => {
    if (failing === undefined || failing.times === 0 || (failing.method ?? method) !== method) return undefined;
    failing.times -= 1;
    return failing.fault;
  };

  const replyTo = (asked: Asked, path: string, fault: Fault | undefined): Reply => {
    if (fault === 'down') return refuse('InternalError');
    if (fault === 'full') return refuse('XMinioStorageFull');
    if (path.split('/')[1] !== bucket) return refuse('NoSuchBucket');
    if (asked.key !== '') return answerOne(objects, asked, fault === 'other-bytes');
    return asked.method === 'GET' ? list(objects, asked.query) : refuse('MethodNotAllowed');
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = '', headers } = request;
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://s3');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    calls.push(`${method} ${key}`);
    const fault = faultOf(method);
    if (fault === 'silent') return;
    const refused = refusalOf(request, body, keys);
    const asked = { method, key, query, headers, body };
    const { status, headers: told, body: content = '' } = refused ? refuse(refused) : replyTo(asked, pathname, fault);
    response.writeHead(status, { 'x-amz-request-id': String(calls.length), ...told });
    if (fault === 'cut') response.write(content.slice(0, content.length / 2), () => response.destroy());
    else response.end(method === 'HEAD' ? undefined : content);
  };

  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return {
    objects,
    calls,
    fail: (fault, times = 1, method = undefined) => void (failing = { fault, times, method }),
    listen: async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
