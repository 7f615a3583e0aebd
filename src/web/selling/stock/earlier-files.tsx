import { useId, useState } from 'react';
import { undoStock, type StockFile } from '#contract/stock/stock-files.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { deedOf } from './stock-words.ts';
import { isWorking, useStockFile } from './use-stock-file.ts';

const STATES: Record<StockFile['state'], string> = {
  uploading: 'Not arrived whole',
  reading: 'Being read',
  comparing: 'Being compared',
  ready: 'Not written',
  committing: 'Being written',
  done: 'Written',
  undoing: 'Being undone',
  undone: 'Undone',
  failed: 'Not read',
  cancelled: 'Cancelled',
};

/** What an undo had to leave, as buyers have it. */
export const LeftCopies = ({ left }: Pick<StockFile, 'left'>) =>
  left.length === 0 ? null : (
    <div>
      <p className="font-semibold">These stayed, as buyers have them:</p>
      <ul className="mt-1 list-disc pl-5">
        {left.map(({ sku, title, status }) => (
          <li key={`${sku} ${title}`}>
            {title} ({sku}): {status}
          </li>
        ))}
      </ul>
    </div>
  );

const Earlier = ({ first, onChanged }: { first: StockFile; onChanged: () => Promise<void> }) => {
  const [file, setFile] = useStockFile(first);
  const [failure, setFailure] = useState<string>();
  const undo = async (): Promise<void> => {
    setFailure(undefined);
    try {
      setFile(await call(undoStock, { params: { id: file.id } }));
      await onChanged();
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const deed = file.counts === null ? undefined : deedOf(file.counts, true);
  const canUndo = file.undoUntil !== null && deed !== undefined;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{file.name}</p>
        <p className="text-sm text-muted">
          {STATES[file.state]} · <Time as="moment" at={file.createdAt} />
          {file.state === 'done' && deed !== undefined && ` · ${deed}`}
        </p>
        <LeftCopies left={file.left} />
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      </div>
      {canUndo && (
        <Button look="secondary" size="sm" busy={isWorking(file)} onClick={() => void undo()}>
          Undo<span className="sr-only"> {file.name}</span>
        </Button>
      )}
    </li>
  );
};

/** The files before: what each did, and an undo for 24 hours. */
export const EarlierFiles = ({ files, onChanged }: { files: readonly StockFile[]; onChanged: () => Promise<void> }) => {
  const headingId = useId();
  if (files.length === 0) return null;
  return (
    <section aria-labelledby={headingId} className="mt-8">
      <h2 id={headingId} className="font-serif text-xl font-semibold">
        Files before
      </h2>
      <ul className="mt-2 divide-y divide-base-300">
        {files.map((file) => (
          <Earlier key={file.id} first={file} onChanged={onChanged} />
        ))}
      </ul>
    </section>
  );
};
