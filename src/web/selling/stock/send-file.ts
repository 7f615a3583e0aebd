import { announceStockFile, STOCK_PART_BYTES, uploadStockPart, type StockFile } from '#contract/stock/stock-files.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { sendBytes } from '#web/api/upload.ts';

/** Between tries of a part that did not arrive; the last one again and again. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 20_000];

/** Not answered, or not now: worth another try. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

export interface Sending {
  readonly signal: AbortSignal;
  /** The share of the file that is there, and whether the connection is gone for now. */
  readonly onProgress: (share: number, isWaiting: boolean) => void;
}

/**
 * Sends a file part by part, those that are missing; a part that does not arrive is sent again until it does, so that a
 * lost connection costs nothing.
 */
export const sendStockFile = async (id: string, file: File, { signal, onProgress }: Sending): Promise<StockFile> => {
  const again = async <A>(work: () => Promise<A>, share: number): Promise<A> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error;
        onProgress(share, true);
        await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0, signal);
      }
    }
  };
  const body = { name: file.name.slice(-200), size: file.size };
  let answer = await again(() => call(announceStockFile, { params: { id }, body }), 0);
  const there = new Set(answer.parts);
  const count = Math.ceil(file.size / STOCK_PART_BYTES);
  for (let part = 0; part < count; part += 1) {
    if (there.has(part)) continue;
    const bytes = file.slice(part * STOCK_PART_BYTES, (part + 1) * STOCK_PART_BYTES, 'application/octet-stream');
    const share = part / count;
    answer = await again(
      () =>
        sendBytes<typeof uploadStockPart>(uploadStockPart, { id, part: String(part) }, bytes, {
          signal,
          onProgress: (sent) => onProgress(share + sent / count, false),
        }),
      share,
    );
  }
  return answer;
};
