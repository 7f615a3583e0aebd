import { useEffect, useRef, useState } from 'react';
import { readStockFile, type StockFile } from '#contract/stock/stock-files.ts';
import { call } from '#web/api/call.ts';

/** How often it is asked how far the shop is. */
const LOOK_MS = 700;

const WORKING: readonly StockFile['state'][] = ['reading', 'comparing', 'committing', 'undoing'];

/** Its rows are being looked at. */
export const isLookedAt = ({ state }: StockFile): boolean => state === 'reading' || state === 'comparing';

export const isWorking = ({ state }: StockFile): boolean => WORKING.includes(state);

/** While its rows are looked at again, what was known of them stays in sight. */
const carriedOver = (before: StockFile, next: StockFile): StockFile =>
  isLookedAt(next) ? { ...next, counts: next.counts ?? before.counts, survey: next.survey ?? before.survey } : next;

/** A file that is looked at again while the shop works on it; what cannot be asked now is asked a moment later. */
export const useStockFile = (first: StockFile): [StockFile, (file: StockFile) => void] => {
  const [held, setHeld] = useState({ file: first, of: first });
  // What was loaded again is newer.
  const file = held.of === first ? held.file : first;
  const told = useRef(0);
  const setFile = (next: StockFile): void => {
    told.current += 1;
    setHeld(({ file: before }) => ({ file: carriedOver(before, next), of: first }));
  };
  const works = isWorking(file);
  useEffect(() => {
    if (!works) return undefined;
    let isGone = false;
    const look = async (): Promise<void> => {
      const before = told.current;
      const found = await call(readStockFile, { params: { id: first.id } }).catch(() => undefined);
      if (isGone) return;
      // What was chosen while this was asked is newer than the answer.
      if (found !== undefined && told.current === before)
        setHeld(({ file: before }) => ({ file: carriedOver(before, found), of: first }));
      timer = setTimeout(() => void look(), LOOK_MS);
    };
    let timer = setTimeout(() => void look(), LOOK_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [works, first]);
  return [file, setFile];
};
