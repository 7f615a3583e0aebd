import { useRef, useState } from 'react';
import { messageOf } from '#web/api/api-error.ts';

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the page after, absent on the last. */
  readonly next: string | undefined;
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

/** A list that goes on page by page from `first`, when asked. A new `first` (the list was read again) starts it anew. */
export const useMore = <Row>(first: Page<Row>, read: (cursor: string) => Promise<Page<Row>>): More<Row> => {
  const [after, setAfter] = useState<Page<Row> & { first: Page<Row> }>();
  const [failed, setFailed] = useState<{ first: Page<Row>; message: string }>();
  const [busy, setBusy] = useState(false);
  const reading = useRef(false);
  const { rows, next } = after?.first === first ? after : { rows: [], next: first.next };

  const more = async (): Promise<void> => {
    if (next === undefined || reading.current) return;
    reading.current = true;
    setBusy(true);
    setFailed(undefined);
    try {
      const page = await read(next);
      setAfter({ first, rows: [...rows, ...page.rows], next: page.next });
    } catch (error) {
      setFailed({ first, message: messageOf(error) });
    } finally {
      reading.current = false;
      setBusy(false);
    }
  };

  return {
    rows: [...first.rows, ...rows],
    hasMore: next !== undefined,
    busy,
    failure: failed?.first === first ? failed.message : undefined,
    more,
  };
};
