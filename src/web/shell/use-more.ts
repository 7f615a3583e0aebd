import { useEffect, useRef, useState } from 'react';
import { messageOf } from '#web/api/api-error.ts';

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the page after, absent on the last. */
  readonly next: string | undefined;
}

/** What was read beyond a `first` page, in how many steps. */
interface After<Row> extends Page<Row> {
  readonly first: Page<Row>;
  readonly steps: number;
}

export interface More<Row> {
  /** All rows so far. */
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly busy: boolean;
  /** Why the last step failed; undefined when it did not. */
  readonly failure: string | undefined;
  readonly more: () => Promise<void>;
}

type Read<Row> = (cursor: string) => Promise<Page<Row>>;

const readOn = async <Row>(first: Page<Row>, steps: number, read: Read<Row>): Promise<After<Row>> => {
  const rows: Row[] = [];
  let next = first.next;
  let taken = 0;
  while (taken < steps && next !== undefined) {
    const page: Page<Row> = await read(next);
    rows.push(...page.rows);
    next = page.next;
    taken += 1;
  }
  return { first, rows, next, steps: taken };
};

/**
 * A list that goes on page by page from `first`, when asked. A new `first` (the list was read again) starts it anew; with
 * `keepPlace` it is the same list as before, and is read on to where it was, so that nobody loses their place.
 */
export const useMore = <Row>(first: Page<Row>, read: Read<Row>, options: { keepPlace?: boolean } = {}): More<Row> => {
  const [after, setAfter] = useState<After<Row>>();
  const [failed, setFailed] = useState<{ first: Page<Row>; message: string }>();
  const [busy, setBusy] = useState(false);
  const reading = useRef(false);
  const newest = useRef({ first, read });
  const start: After<Row> = { first, rows: [], next: first.next, steps: 0 };
  const isOld = after !== undefined && after.first !== first;
  const keeps = isOld && options.keepPlace === true && after.steps > 0;
  const shown = after !== undefined && (!isOld || keeps) ? after : start;

  useEffect(() => {
    newest.current = { first, read };
  });

  const steps = keeps ? after.steps : 0;
  useEffect(() => {
    if (steps === 0) return;
    const isNewest = (): boolean => newest.current.first === first;
    readOn(first, steps, newest.current.read)
      .catch(() => ({ first, rows: [], next: first.next, steps: 0 }))
      .then((page) => isNewest() && setAfter(page))
      .catch(() => undefined);
  }, [first, steps]);

  const more = async (): Promise<void> => {
    if (shown.next === undefined || reading.current) return;
    reading.current = true;
    setBusy(true);
    setFailed(undefined);
    try {
      const page = await read(shown.next);
      const rows = [...shown.rows, ...page.rows];
      // The list may have been read again meanwhile; then this page belongs to the old one.
      if (newest.current.first === shown.first) {
        setAfter({ first: shown.first, rows, next: page.next, steps: shown.steps + 1 });
      }
    } catch (error) {
      setFailed({ first: shown.first, message: messageOf(error) });
    } finally {
      reading.current = false;
      setBusy(false);
    }
  };

  return {
    rows: [...shown.first.rows, ...shown.rows],
    hasMore: shown.next !== undefined,
    busy,
    failure: failed?.first === shown.first ? failed.message : undefined,
    more,
  };
};
