import { useEffect, useState } from 'react';
import { formatCount } from '#contract/count.ts';
import { readStockEdit, undoStockEdit, type StockEdit } from '#contract/stock/stock-edits.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { LeftCopies } from '#web/selling/stock/earlier-files.tsx';
import { copies } from '#web/selling/stock/stock-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';

const LOOK_MS = 500;

const isWorking = ({ state }: StockEdit): boolean => state === 'committing' || state === 'undoing';

/** An edit that is looked at again while it is written; `onOver` once it is. */
const useEdit = (first: StockEdit, onOver: () => void): [StockEdit, (edit: StockEdit) => void] => {
  const [held, setHeld] = useState({ edit: first, of: first });
  const edit = held.of === first ? held.edit : first;
  const works = isWorking(edit);
  useEffect(() => {
    if (!works) return undefined;
    let isGone = false;
    const look = async (): Promise<void> => {
      const found = await call(readStockEdit, { params: { id: first.id } }).catch(() => undefined);
      if (isGone) return;
      if (found !== undefined) setHeld({ edit: found, of: first });
      if (found !== undefined && !isWorking(found)) onOver();
      else timer = setTimeout(() => void look(), LOOK_MS);
    };
    let timer = setTimeout(() => void look(), LOOK_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [works, first, onOver]);
  return [edit, (next) => setHeld({ edit: next, of: first })];
};

const WORDS: Record<StockEdit['state'], (edit: StockEdit) => string> = {
  committing: ({ doneCopies, allCopies }) => `${formatCount(doneCopies)} of ${copies(allCopies)} done`,
  undoing: ({ doneCopies }) => `Being undone: ${formatCount(doneCopies)} so far`,
  done: ({ changed, undoUntil }) => (undoUntil === null ? 'Done' : `Done: ${copies(changed)} changed`),
  undone: () => 'Undone',
};

const Edit = ({ first, onChanged }: { first: StockEdit; onChanged: () => Promise<void> }) => {
  const [over] = useState(() => () => void onChanged());
  const [edit, setEdit] = useEdit(first, over);
  const [failure, setFailure] = useState<string>();
  const undo = async (): Promise<void> => {
    setFailure(undefined);
    try {
      setEdit(await call(undoStockEdit, { params: { id: edit.id } }));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{edit.name}</p>
        <p role="status" className="text-sm text-muted">
          {WORDS[edit.state](edit)}
        </p>
        {edit.state === 'committing' && (
          <progress
            className="progress mt-1 w-56 progress-primary"
            aria-label={edit.name}
            max={edit.allCopies}
            value={edit.doneCopies}
          />
        )}
        {edit.problem !== '' && <Notice tone="error">{edit.problem}</Notice>}
        <LeftCopies left={edit.left} />
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      </div>
      {(edit.undoUntil !== null || edit.state === 'undoing') && (
        <Button look="secondary" size="sm" busy={isWorking(edit)} onClick={() => void undo()}>
          Undo<span className="sr-only"> {edit.name}</span>
        </Button>
      )}
    </li>
  );
};

/** What was done to many at once lately: the last one in sight, the others behind a line. */
export const Edits = ({ edits, onChanged }: { edits: readonly StockEdit[]; onChanged: () => Promise<void> }) => {
  const [last, ...others] = edits.filter((edit) => isWorking(edit) || edit.undoUntil !== null || edit.problem !== '');
  if (last === undefined) return null;
  return (
    <section aria-label="Edits" className="mb-4 rounded-box border border-base-300 bg-base-100 px-4">
      <ul>
        <Edit key={last.id} first={last} onChanged={onChanged} />
      </ul>
      {others.length > 0 && (
        <details className="border-t border-base-300">
          <summary className="cursor-pointer py-2 text-sm font-semibold">Earlier today</summary>
          <ul className="divide-y divide-base-300">
            {others.map((edit) => (
              <Edit key={edit.id} first={edit} onChanged={onChanged} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
};
