import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { messageOf } from '#web/api/api-error.ts';
import { keepList, listAt } from './last-known-good.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the page after, absent on the last. */
  readonly next: string | undefined;
}

/** What was read beyond a `first` page, in how many steps. */
interface After<Row> extends Page<Row> {
  readonly first: Page<Row>;
  readonly steps: number;
  readonly added: number;
  readonly of: string;
}

export interface More<Row> {
  /** All rows so far. */
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly busy: boolean;
  /** The cursor of the page after; absent when everything is shown. */
  readonly next: string | undefined;
  /** How many rows the last step added, for reading out. */
  readonly added: number;
  /** Why the last step failed; undefined when it did not. */
  readonly failure: string | undefined;
  readonly more: () => Promise<void>;
}

/** Reads the page at a cursor; `before` are the rows that are shown above it. */
type Read<Row> = (cursor: string, before: readonly Row[]) => Promise<Page<Row>>;

const readFurther = async <Row>(start: After<Row>, steps: number, read: Read<Row>): Promise<After<Row>> => {
  const rows: Row[] = [];
  let { next } = start;
  let taken = 0;
  while (taken < steps && next !== undefined) {
    const page: Page<Row> = await read(next, [...start.first.rows, ...rows]);
    rows.push(...page.rows);
    next = page.next;
    taken += 1;
  }
  return { ...start, rows, next, steps: taken };
};

interface Options {
  /** A new `first` is the same list, read again: it is read on to where it was, so that nobody loses their place. */
  keepPlace?: boolean;
  /** What is listed, where that may change: a list of something else starts anew. */
  of?: string;
}

/**
 * A list that goes on page by page from `first`, when asked. A new `first` starts it anew, unless it keeps its place;
 * then coming Back to it finds it read on as it was left, too.
 */
export const useMore = <Row>(first: Page<Row>, read: Read<Row>, { keepPlace, of = '' }: Options = {}): More<Row> => {
  const { key, pathname } = useLocation();
  // What Back leads to: this list, at this entry of the history.
  const place = `${key} ${pathname} ${of}`;
  const [readOn, setAfter] = useState<After<Row>>();
  const after = readOn?.of === of ? readOn : listAt<After<Row>>(place);
  const [failed, setFailed] = useState<{ first: Page<Row>; message: string }>();
  const [busy, setBusy] = useState(false);
  const reading = useRef(false);
  const newest = useRef({ first, read, after });
  const start: After<Row> = { first, rows: [], next: first.next, steps: 0, added: 0, of };
  const isOld = after !== undefined && after.first !== first;
  const keeps = isOld && keepPlace === true && after.of === of && after.steps > 0;
  const shown = after !== undefined && (!isOld || keeps) ? after : start;

  useEffect(() => {
    newest.current = { first, read, after };
  });

  const steps = keeps ? after.steps : 0;
  useEffect(() => {
    if (steps === 0) return;
    const isNewest = (): boolean => newest.current.first === first;
    const begin: After<Row> = { first, rows: [], next: first.next, steps: 0, added: 0, of };
    readFurther(begin, steps, newest.current.read)
      // What was read before is better than losing one's place.
      .catch(() => ({ ...newest.current.after, first }) as After<Row>)
      .then((page) => isNewest() && setAfter(page))
      .catch(() => undefined);
  }, [first, steps, of]);

  useEffect(() => {
    if (after !== undefined && after.steps > 0) keepList(place, after);
  }, [place, after]);

  const more = async (): Promise<void> => {
    if (shown.next === undefined || reading.current) return;
    reading.current = true;
    setBusy(true);
    setFailed(undefined);
    try {
      const page = await read(shown.next, [...shown.first.rows, ...shown.rows]);
      const rows = [...shown.rows, ...page.rows];
      // The list may have been read again meanwhile; then this page belongs to the old one.
      if (newest.current.first === shown.first) {
        const added = page.rows.length;
        setAfter({ first: shown.first, rows, next: page.next, steps: shown.steps + 1, added, of });
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
    next: shown.next,
    added: shown.added,
    busy,
    failure: failed?.first === shown.first ? failed.message : undefined,
    more,
  };
};
