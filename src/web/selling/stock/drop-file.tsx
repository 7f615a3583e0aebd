import { useEffect, useId, useRef, useState, type DragEvent } from 'react';
import { MAX_STOCK_FILE_BYTES, type StockFile } from '#contract/stock/stock-files.ts';
import { newUuid } from '#web/api/uuid.ts';
import { messageOf } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { sendStockFile } from './send-file.ts';

interface Progress {
  readonly name: string;
  readonly share: number;
  readonly isWaiting: boolean;
}

const TOO_LARGE = 'A stock file may have 50 MB at most: cut it in two.';

/** Where a file is dropped, chosen, or a list of ISBNs pasted; `waiting`: one that has not arrived whole yet. */
export const DropFile = ({ waiting, onSent }: { waiting: StockFile | undefined; onSent: () => Promise<void> }) => {
  const input = useRef<HTMLInputElement>(null);
  const headingId = useId();
  const [isOver, setOver] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<string>();
  const [list, setList] = useState('');
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const send = async (file: File): Promise<void> => {
    setFailure(undefined);
    if (file.size === 0) return setFailure('There is nothing in this file.');
    if (file.size > MAX_STOCK_FILE_BYTES) return setFailure(TOO_LARGE);
    // The same file again goes on where it was left.
    const isSame = waiting !== undefined && waiting.name === file.name && waiting.size === file.size;
    const id = isSame ? waiting.id : newUuid();
    const controller = new AbortController();
    stop.current = controller;
    setProgress({ name: file.name, share: 0, isWaiting: false });
    try {
      await sendStockFile(id, file, {
        signal: controller.signal,
        onProgress: (share, isWaiting) => setProgress({ name: file.name, share, isWaiting }),
      });
      setList('');
      await onSent();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(messageOf(error));
    } finally {
      setProgress(undefined);
    }
  };

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) void send(file);
  };

  return (
    <section aria-labelledby={headingId} className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <h2 id={headingId} className="font-serif text-xl font-semibold">
        Bring a file
      </h2>
      <p className="mt-1 max-w-prose text-muted">
        UIEE, AbeBooks, Biblio, Goodreads, LibraryThing, or any table saved as CSV or text. Nothing is changed before
        you have seen what it would do.
      </p>
      {waiting !== undefined && progress === undefined && (
        <div className="mt-4">
          <Notice title={`${waiting.name} has not arrived whole`}>
            Choose the same file again: it goes on where it was left. Or choose another one.
          </Notice>
        </div>
      )}
      {progress === undefined ? (
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={classes(
            'mt-4 flex flex-col items-center gap-3 rounded-box border border-dashed px-6 py-10 text-center',
            isOver ? 'border-primary bg-primary/5' : 'border-base-300',
          )}
        >
          <p className="max-sm:hidden">Drop it here, or</p>
          <Button onClick={() => input.current?.click()}>Choose a file</Button>
          <p className="text-sm text-muted">Up to 50 MB and 100,000 rows</p>
          <input
            ref={input}
            type="file"
            hidden
            aria-label="Stock file"
            accept=".csv,.tsv,.txt,.tab,.uiee,.uie,text/*"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              currentTarget.value = '';
              if (file !== undefined) void send(file);
            }}
          />
        </div>
      ) : (
        <div className="mt-4 rounded-box border border-base-300 p-5">
          <p className="font-semibold wrap-anywhere">{progress.name}</p>
          <progress
            className="progress mt-3 w-full progress-primary"
            aria-label="Sent"
            max={1}
            value={progress.share}
          />
          <div className="mt-2 flex items-center justify-between gap-3">
            <p role="status" className="text-sm text-muted">
              {progress.isWaiting
                ? 'No connection: it goes on by itself as soon as there is one.'
                : `${Math.round(progress.share * 100)} % sent`}
            </p>
            <Button look="quiet" size="sm" onClick={() => stop.current?.abort()}>
              Cancel
            </Button>
          </div>
        </div>
      )}
      {failure !== undefined && (
        <div className="mt-4">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
      {progress === undefined && (
        <details className="mt-5">
          <summary className="min-h-11 cursor-pointer content-center font-semibold">Or paste a list of ISBNs</summary>
          <form
            className="mt-2 flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              if (list.trim() !== '') void send(new File([list], 'isbns.txt', { type: 'text/plain' }));
            }}
          >
            <TextArea
              label="ISBNs"
              rows={5}
              value={list}
              onChange={(event) => setList(event.target.value)}
              hint="One or many to a line, with any text between; an ISBN that stands twice is two copies."
            />
            <Button type="submit" look="secondary" className="self-start" disabled={list.trim() === ''}>
              Look at the list
            </Button>
          </form>
        </details>
      )}
    </section>
  );
};
