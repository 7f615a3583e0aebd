import { useState } from 'react';
import type { Category } from '#contract/catalog/catalog.ts';
import { formatCount } from '#contract/count.ts';
import { cancelStock, commitStock, undoStock, type StockCounts, type StockFile } from '#contract/stock/stock-files.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { LeftCopies } from './earlier-files.tsx';
import { HowItIsRead } from './how-it-is-read.tsx';
import { ForAllRows } from './for-all-rows.tsx';
import { StockRows } from './stock-rows.tsx';
import { useChoices } from './use-choices.ts';
import { copies, deedOf } from './stock-words.ts';
import { isLookedAt, useStockFile } from './use-stock-file.ts';

const WORK: Partial<Record<StockFile['state'], string>> = {
  reading: 'Reading the file',
  comparing: 'Comparing it with your stock',
  committing: 'Writing it into the shop',
  undoing: 'Undoing it',
};

const Working = ({ file, onCancel }: { file: StockFile; onCancel: (() => void) | undefined }) => {
  const isCounted = file.state !== 'reading' && file.allRows > 0;
  return (
    <div className="mt-4">
      <progress
        className="progress w-full progress-primary"
        aria-label={WORK[file.state] ?? 'Working'}
        {...(isCounted && { max: file.allRows, value: file.doneRows })}
      />
      <div className="mt-2 flex items-center justify-between gap-3">
        <p role="status" className="text-sm text-muted">
          {WORK[file.state]}: {formatCount(file.doneRows)}
          {isCounted && ` of ${formatCount(file.allRows)}`} rows. You may leave this page
          {file.state === 'committing' ? '; a mail tells you when it is done' : ''}.
        </p>
        {onCancel !== undefined && (
          <Button look="quiet" size="sm" onClick={onCancel}>
            {file.state === 'committing' ? 'Stop' : 'Cancel'}
          </Button>
        )}
      </div>
    </div>
  );
};

const Facts = ({ counts }: { counts: StockCounts }) => (
  <>
    {counts.soldHere > 0 && (
      <p>
        Of its quantities {copies(counts.soldHere)} sold here since the file was written{' '}
        {counts.soldHere === 1 ? 'is' : 'are'} taken off.
      </p>
    )}
    {counts.kept > 0 && <p>{copies(counts.kept)} that buyers have stay as they are.</p>}
  </>
);

/** A file that was brought: what it is, what it would do, and the button that does it. */
export const OpenFile = ({
  first,
  categories,
  onClose,
}: {
  first: StockFile;
  categories: readonly Category[];
  onClose: () => Promise<void>;
}) => {
  const [file, setFile] = useStockFile(first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [typed, setTyped] = useState('');
  const { choose, failure: notChosen } = useChoices(file, setFile);
  const { counts, survey, state } = file;
  const params = { id: file.id };

  const act = async (work: () => Promise<StockFile>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      setFile(await work());
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const cancel = async (): Promise<void> => {
    await act(() => call(cancelStock, { params }));
    if (state !== 'committing') await onClose();
  };
  const isWhole = file.choices.isWholeStock === true;
  const gone = isWhole ? (counts?.missing ?? 0) : 0;
  const deed = counts === null ? undefined : deedOf(counts, state === 'done');
  const isShown = (state === 'ready' || isLookedAt(file)) && counts !== null && survey !== null;
  const hasWork = deed !== undefined || gone > 0;

  return (
    <section aria-label={file.name} className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <h2 className="font-serif text-xl font-semibold wrap-anywhere">{file.name}</h2>
      {WORK[state] !== undefined && !isShown && (
        <Working file={file} onCancel={state === 'undoing' ? undefined : () => void cancel()} />
      )}
      {state === 'failed' && (
        <div className="mt-4">
          <Notice
            tone="error"
            title="This file cannot be read"
            action={<Button onClick={() => void cancel()}>Choose another file</Button>}
          >
            {file.problem}
          </Notice>
        </div>
      )}
      {isShown && (
        <div className="mt-4 flex flex-col gap-6">
          <div className="flex flex-col gap-1">
            <p className="text-lg font-semibold" role="status">
              {isLookedAt(file)
                ? 'Looking at the rows …'
                : hasWork
                  ? (deed ?? `It takes ${copies(gone)} away.`)
                  : 'There is nothing to be done: your stock is as it says.'}
            </p>
            <Facts counts={counts} />
            {counts.rows.refused > 0 && (
              <p className="text-warning">
                {counts.rows.refused === 1 ? 'One row is' : `${formatCount(counts.rows.refused)} rows are`} refused:
                each says why below.
              </p>
            )}
          </div>
          <ForAllRows file={file} categories={categories} choose={choose} />
          <HowItIsRead file={file} choose={choose} />
          <StockRows
            key={`${state} ${JSON.stringify(counts)}`}
            file={file}
            onMended={() => setFile({ ...file, state: 'comparing' })}
          />
          {isWhole && gone > 0 && (
            <Field
              label={`Type ${gone} to take away what is not in this file`}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              hint={`${copies(gone)} with a SKU that the file does not name. Held and sold copies stay.`}
            />
          )}
          {file.problem !== '' && <Notice tone="error">{file.problem}</Notice>}
          {(failure ?? notChosen) !== undefined && <Notice tone="error">{failure ?? notChosen}</Notice>}
          <div className="flex flex-wrap gap-3">
            <Button
              busy={busy}
              disabled={!hasWork || isLookedAt(file) || (gone > 0 && typed.trim() !== String(gone))}
              onClick={() => void act(() => call(commitStock, { params, body: isWhole ? { missing: gone } : {} }))}
            >
              Write it into the shop
            </Button>
            <Button look="secondary" onClick={() => void cancel()}>
              Leave it
            </Button>
          </div>
        </div>
      )}
      {(state === 'done' || state === 'undone') && (
        <div className="mt-4 flex flex-col gap-4">
          <Notice tone="success" title={state === 'done' ? 'Your file is in the shop' : 'It was undone'}>
            {state === 'done' && (deed ?? 'It changed nothing.')}
          </Notice>
          {counts !== null && <Facts counts={counts} />}
          <LeftCopies left={file.left} />
          {counts !== null && counts.rows.refused > 0 && <StockRows file={file} />}
          {failure !== undefined && <Notice tone="error">{failure}</Notice>}
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => void onClose()}>Bring another file</Button>
            {state === 'done' && deed !== undefined && (
              <Button look="secondary" busy={busy} onClick={() => void act(() => call(undoStock, { params }))}>
                Undo
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  );
};
