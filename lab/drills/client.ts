import { Agent, request, type IncomingMessage } from 'node:http';

export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** How a request ended for whoever sent it; status 0 where no answer came. */
export interface Answered {
  readonly status: number;
  readonly ms: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Sent a second time, as HTTP allows. */
  readonly again: boolean;
  /** What went wrong where no answer came. */
  readonly why?: string;
}

export interface ClientOptions {
  /** Connections at most; they are kept open. */
  readonly connections: number;
  /** Which of the idle connections is used next: all in turn, or the one used last. */
  readonly scheduling?: 'fifo' | 'lifo';
  readonly timeoutMs?: number;
}

export type Client = ReturnType<typeof createClient>;

/**
 * Asks over connections that are kept open, as browsers and proxies do, and like them sends a request again in one case
 * only: it is a GET, its connection had been used before and was closed without a byte of an answer (RFC 9112, 9.3.1).
 */
export const createClient = (url: string, { connections, scheduling = 'lifo', timeoutMs = 20_000 }: ClientOptions) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections, scheduling });
  const { hostname, port } = new URL(url);

  const send = (ask: Ask, isAgain: boolean): Promise<Omit<Answered, 'ms'>> =>
    new Promise((resolve) => {
      const { method = 'GET', path } = ask;
      const body = ask.body === undefined ? undefined : JSON.stringify(ask.body);
      const headers = {
        ...ask.headers,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const sending = request({ agent, hostname, port, method, path, headers, timeout: timeoutMs });
      const fail = (error: Error & { code?: string }): void => {
        const wasClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        if (method === 'GET' && sending.reusedSocket && wasClosed && !isAgain) return resolve(send(ask, true));
        resolve({ status: 0, headers: {}, body: '', again: isAgain, why: error.code ?? error.message });
      };
      sending.once('timeout', () => sending.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
      sending.once('error', fail);
      sending.once('response', (answer) => {
        sending.off('error', fail);
        const chunks: Buffer[] = [];
        const cut = (error: Error): void =>
          resolve({ status: 0, headers: {}, body: '', again: isAgain, why: `cut while answering: ${error.message}` });
        sending.once('error', cut);
        answer.once('error', cut);
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString(),
            again: isAgain,
          }),
        );
      });
      sending.end(body);
    });

  return {
    /** One request and how it ended; never rejects. */
    ask: async (ask: Ask): Promise<Answered> => {
      const began = performance.now();
      const answered = await send(ask, false);
      return { ...answered, ms: performance.now() - began };
    },
    close: (): void => agent.destroy(),
  };
};
