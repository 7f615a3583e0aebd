import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

const READ_BYTES = 1 << 20;
const NEWLINE = 10;

/** An append-only file of lines. */
export interface Journal {
  /** Queues a line; it is on disk once `flushed` resolves. */
  append(line: string): void;
  /** Resolves when every line appended so far is on disk (fsync); rejects when it could not be written. */
  flushed(): Promise<void>;
  /** Bytes in the file. */
  size(): number;
  /** Replaces the file's contents by these lines, whole or not at all. */
  rewrite(lines: () => Iterable<string>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a journal (its folder must be there) and hands every line in it to `onLine`. A last line that a crash cut short is dropped: nothing in it
 * was ever answered. A damaged line with good ones behind it is no crash, and throws.
 */
export async function openJournal(file: string, onLine: (line: string) => void): Promise<Journal> {
  // Client secrets are in here: nobody else on the machine needs to read them.
  let handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  let size: number;
  try {
    size = await replay(handle, file, onLine);
    await handle.truncate(size);
  } catch (error) {
    await handle.close();
    throw error;
  }
  let queue: string[] = [];
  // Writes follow one another on this chain; whoever waits for it shares one fsync with everybody else who waits.
  let chain: Promise<void> = Promise.resolve();

  async function writeQueue(): Promise<void> {
    if (queue.length === 0) return;
    const lines = queue;
    queue = [];
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    try {
      await writeFully(handle, bytes, size);
      await handle.datasync();
      size += bytes.length;
    } catch (error) {
      // Nothing is lost: the lines are tried again before any later one.
      queue = [...lines, ...queue];
      await handle.truncate(size).catch(() => {});
      throw error;
    }
  }

  async function replaceFile(lines: () => Iterable<string>): Promise<void> {
    const next = await open(`${file}.new`, 'w', 0o600);
    let written = 0;
    try {
      for (const line of lines()) {
        const bytes = Buffer.from(`${line}\n`);
        await writeFully(next, bytes, written);
        written += bytes.length;
      }
      await next.sync();
      await rename(`${file}.new`, file);
    } catch (error) {
      await next.close();
      throw error;
    }
    await syncFolder(dirname(file));
    await handle.close();
    handle = next;
    size = written;
  }

  function then(step: () => Promise<void>): Promise<void> {
    chain = chain.catch(() => {}).then(step);
    return chain;
  }

  return {
    append: (line) => void queue.push(line),
    flushed: () => (queue.length === 0 ? chain : then(writeQueue)),
    size: () => size,
    rewrite: (lines) => then(() => replaceFile(lines)),
    close: () =>
      then(async () => {
        await writeQueue();
        await handle.close();
      }),
  };
}

/** Reads all whole, good lines and returns how many bytes they take. */
async function replay(handle: FileHandle, file: string, onLine: (line: string) => void): Promise<number> {
  let rest = Buffer.alloc(0);
  let goodBytes = 0;
  let lineNumber = 0;
  let damagedAt = 0;
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) return goodBytes;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      lineNumber += 1;
      if (!isWhole(line)) {
        damagedAt ||= lineNumber;
        continue;
      }
      if (damagedAt > 0) throw new Error(`Line ${damagedAt} of ${file} is damaged.`);
      onLine(line);
      goodBytes += end + 1;
    }
  }
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** A rename is durable once its folder is; systems that cannot sync a folder are left at their word. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
