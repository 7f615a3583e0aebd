import type { FastifyServerOptions } from 'fastify';
import { memoise } from './memoise.ts';

export type LoggerOptions = Exclude<FastifyServerOptions['logger'], undefined>;

/** What opens something, where a mail program has to find it in a path. */
const TOKEN_IN_PATH = /(\/unsubscribe\/)[0-9a-f]{64}/;

/** The address without its query, as queries hold users' email addresses, and without a token. */
const withoutQuery = (url: string): string => (url.split('?', 1)[0] ?? '').replace(TOKEN_IN_PATH, '$1[token]');

/** Both bounded and anchored, so that a long line costs one pass. */
const ADDRESS = /(?<![\w.%+'-])[\w.%+'-]{1,320}?(?:@|%40)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;
const CREDENTIALS = /(:\/\/)[^\s/@"]{1,1000}@/g;

/** What JSON leaves as it is, and some terminals obey or break lines at. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A line of the log without addresses of users, and without the credentials of an address: the last net, whoever wrote
 * it.
 */
export const redacted = (line: string): string =>
  line.includes('@') || line.includes('%40')
    ? line.replace(CREDENTIALS, '$1[credentials]@').replace(ADDRESS, '[address]')
    : line;

interface ToldError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: ToldError;
}

const MOST_CAUSES = 5;

/** What is told of an error: not the rows, requests and answers that libraries hang on theirs. */
const tellError = (error: unknown, depth = 0): ToldError => {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: undefined };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...(cause !== undefined && depth < MOST_CAUSES && { cause: tellError(cause, depth + 1) }),
  };
};

/** The time as text; of many lines within a millisecond it is written once. */
const utcTime = (() => {
  let [at, text] = [0, ''];
  return (): string => {
    const now = Date.now();
    if (now !== at) [at, text] = [now, new Date(now).toISOString()];
    return text;
  };
})();

/** Lines of one turn of the event loop go out together: writing each would cost more than making it. */
const standardOutput = memoise((): ((line: string) => void) => {
  let waiting = '';
  const flush = (): void => {
    if (waiting !== '') process.stdout.write(waiting);
    waiting = '';
  };
  process.once('exit', flush);
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting += line;
  };
});

/**
 * Options of the process's logger: one JSON object a line with UTC time and request id; no query strings, no
 * credentials, no addresses of users. What others wrote is inside JSON strings, where no line ends and no terminal
 * obeys.
 */
export const logOptions = (level: string, write: (line: string) => void = standardOutput()): LoggerOptions => ({
  level,
  timestamp: () => `,"time":"${utcTime()}"`,
  serializers: {
    req: (request: { method: string; url: string }) => ({ method: request.method, path: withoutQuery(request.url) }),
    err: (error: unknown) => tellError(error) as never,
  },
  stream: { write: (line: string) => write(redacted(line).replace(CONTROLS, escaped)) },
});
