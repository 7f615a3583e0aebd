// The load generator: a process of its own that speaks just enough HTTP/1.1 to keep connections busy.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** One slice of load. */
export interface Order {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** JSON: an array of whole requests, taken in turn by whichever connection is free. */
  readonly file: string;
  /** Each request is sent once at most; otherwise they begin anew. */
  readonly once: boolean;
}

/** What became of it. */
export interface Slice {
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds from sending a request to the last byte of its answer. */
  readonly times: Float32Array;
  readonly statuses: Record<string, number>;
  /** Requests whose connection ended before the answer. */
  readonly lost: number;
  readonly bytes: number;
  /** The part of the time that the generator itself was busy: near 1 it may be what is measured. */
  readonly busy: number;
}

/** Who has not answered by then is not waited for. */
const DRAIN_LIMIT_MS = 10_000;
const HEAD_END = Buffer.from('\r\n\r\n');
/** How a body without a length ends. */
const CHUNKS_END = Buffer.from('\r\n0\r\n\r\n');
const NO_BODY = new Set([204, 304]);

const files = new Map<string, { requests: Buffer[]; next: number }>();

const requestsOf = (file: string): { requests: Buffer[]; next: number } => {
  const known = files.get(file);
  if (known !== undefined) return known;
  const texts = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const read = { requests: texts.map((text) => Buffer.from(text)), next: 0 };
  files.set(file, read);
  return read;
};

/** Tells when an answer is whole; only its head is kept, and only until it is read. */
export const answerReader = (onAnswer: (status: number, bytes: number) => void) => {
  let head: Buffer | undefined;
  let left = 0;
  let tail: Buffer | undefined;
  let status = 0;
  let bytes = 0;
  const done = (): void => {
    head = undefined;
    tail = undefined;
    left = 0;
    const size = bytes;
    bytes = 0;
    onAnswer(status, size);
  };
  const readTail = (chunk: Buffer): void => {
    const joined: Buffer = tail === undefined ? chunk : Buffer.concat([tail, chunk]);
    tail = joined.subarray(-CHUNKS_END.length);
    if (tail.equals(CHUNKS_END)) done();
  };
  return (chunk: Buffer): void => {
    bytes += chunk.length;
    if (left > 0) {
      left -= chunk.length;
      if (left <= 0) done();
      return;
    }
    if (tail !== undefined) return readTail(chunk);
    head = head === undefined ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end === -1) return;
    const text = head.toString('latin1', 0, end);
    const rest = head.length - end - HEAD_END.length;
    status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length !== undefined || NO_BODY.has(status)) {
      left = Number(length ?? 0) - rest;
      head = undefined;
      if (left <= 0) done();
      return;
    }
    // The line that ends the head may belong to the end of an empty body.
    readTail(head.subarray(end + 2));
  };
};

export const runSlice = (order: Order): Promise<Slice> => {
  const source = requestsOf(order.file);
  let times = new Float32Array(65_536);
  let count = 0;
  let lost = 0;
  let bytes = 0;
  const statuses: Record<string, number> = {};
  const sockets = new Set<Socket>();
  let running = true;
  let open = 0;
  const loop = performance.eventLoopUtilization();
  const startedAt = performance.now();
  let lastAt = startedAt;
  const { promise, resolve } = Promise.withResolvers<Slice>();

  const take = (): Buffer | undefined => {
    if (!running) return undefined;
    if (source.next >= source.requests.length) {
      if (order.once) return undefined;
      source.next = 0;
    }
    return source.requests[source.next++];
  };
  const finish = (): void => {
    if (open > 0) return;
    clearTimeout(end);
    clearTimeout(limit);
    const busy = performance.eventLoopUtilization(loop).utilization;
    resolve({
      count,
      seconds: (lastAt - startedAt) / 1_000,
      times: times.slice(0, count),
      statuses,
      lost,
      bytes,
      busy,
    });
  };

  const openOne = (): void => {
    const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
    sockets.add(socket);
    open += 1;
    let sentAt = 0;
    let waiting = false;
    const send = (): void => {
      const request = take();
      waiting = request !== undefined;
      if (request === undefined) return void socket.destroy();
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on(
      'data',
      answerReader((status, size) => {
        lastAt = performance.now();
        if (count === times.length) {
          const longer = new Float32Array(times.length * 2);
          longer.set(times);
          times = longer;
        }
        times[count++] = lastAt - sentAt;
        bytes += size;
        statuses[status] = (statuses[status] ?? 0) + 1;
        send();
      }),
    );
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      open -= 1;
      if (waiting) lost += 1;
      // Whoever was cut off comes again, but not at once and for ever.
      if (running && waiting && lost <= order.connections * 4) openOne();
      finish();
    });
  };

  const end = setTimeout(() => (running = false), order.ms);
  const limit = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, order.ms + DRAIN_LIMIT_MS);
  for (let n = 0; n < order.connections; n += 1) openOne();
  return promise;
};

if (process.send !== undefined && process.argv[2] === 'serve') {
  process.on('disconnect', () => process.exit());
  process.on('message', (order: Order) => {
    void runSlice(order).then((slice) => {
      if (order.once) files.delete(order.file);
      process.send?.(slice);
    });
  });
}
