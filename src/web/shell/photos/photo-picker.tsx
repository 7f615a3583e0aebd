import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { MAX_PHOTOS } from '#contract/catalog/photos.ts';
import { PHOTO_TYPES } from '#contract/catalog/photo-rules.ts';
import { classes } from '#web/ui/classes.ts';
import type { PhotoItem, PhotoQueue } from './photo-queue.ts';
import { leftOutInWords, sortFiles } from './dropped.ts';
import { PhotoTile } from './photo-tile.tsx';

const ACCEPT = PHOTO_TYPES.join(',');

interface ChooseProps {
  label: string;
  isCamera?: boolean;
  isFull: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** A button that opens the pictures of the device, or its camera. */
const Choose = ({ label, isCamera = false, isFull, onFiles }: ChooseProps) => {
  const input = useRef<HTMLInputElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    // The same picture may be chosen once more.
    target.value = '';
  };
  return (
    <>
      <button type="button" className="btn h-11" disabled={isFull} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        multiple={!isCamera}
        {...(isCamera && { capture: 'environment' })}
        className="hidden"
        aria-label={label}
        tabIndex={-1}
        onChange={take}
      />
    </>
  );
};

interface PickerProps {
  queue: PhotoQueue;
  items: readonly PhotoItem[];
  /** What photos are for here, in a sentence. */
  hint: string;
  /** False where they show no copy for sale: then none is the cover, and none says what it shows. */
  isOfCopy?: boolean;
  error?: string | undefined;
}

/**
 * Takes photos from the camera, the device, the clipboard or a drop anywhere on the page, and puts them in order; of a
 * copy the first is the cover.
 */
export const PhotoPicker = ({ queue, items, hint, isOfCopy = true, error }: PickerProps) => {
  const [isOver, setIsOver] = useState(false);
  const [leftOut, setLeftOut] = useState('');
  const [gone, setGone] = useState<string>();
  const isFull = items.length >= MAX_PHOTOS;
  const add = (files: readonly File[]): void => {
    if (files.length > 0) setLeftOut(leftOutInWords({ tooMany: queue.add(files) }));
  };

  useEffect(() => {
    const take = (event: Event, data: DataTransfer | null): void => {
      if (data?.types.includes('Files') !== true) return;
      // Also what is no picture: the browser would open it in the place of the form.
      event.preventDefault();
      const { pictures, others } = sortFiles([...data.files]);
      const tooMany = pictures.length > 0 ? queue.add(pictures) : 0;
      setLeftOut(leftOutInWords({ tooMany, pictures: pictures.length, others: others.map(({ name }) => name) }));
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('paste', (event) => take(event, event.clipboardData), { signal });
    document.addEventListener(
      'dragover',
      (event) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        setIsOver(true);
      },
      { signal },
    );
    document.addEventListener('dragleave', () => setIsOver(false), { signal });
    document.addEventListener(
      'drop',
      (event) => {
        setIsOver(false);
        take(event, event.dataTransfer);
      },
      { signal },
    );
    return () => listeners.abort();
  }, [queue]);

  const remove = (id: string): void => {
    queue.remove(id);
    setGone(id);
  };

  return (
    <section
      aria-label="Photos"
      className={classes(
        'rounded-box border border-dashed p-4',
        isOver ? 'border-primary bg-base-200' : 'border-base-300',
      )}
    >
      <h3 className="text-sm font-semibold">Photos</h3>
      <p className="mt-1 mb-3 text-sm text-muted">{hint}</p>
      <div className="flex flex-wrap gap-3">
        <span className="contents pointer-fine:hidden">
          <Choose label="Take a photo" isCamera isFull={isFull} onFiles={add} />
        </span>
        <Choose label="Choose pictures" isFull={isFull} onFiles={add} />
      </div>
      {items.length > 0 && (
        <ol className={classes('mt-4 grid grid-cols-2 gap-4', isOfCopy ? 'sm:grid-cols-4' : 'sm:grid-cols-3')}>
          {items.map((item, at) => (
            <PhotoTile
              key={item.id}
              item={item}
              at={at}
              count={items.length}
              isOfCopy={isOfCopy}
              onMove={(to) => queue.move(item.id, to)}
              onCaption={(caption) => queue.setCaption(item.id, caption)}
              onRemove={() => remove(item.id)}
              onRetry={() => queue.retry(item.id)}
            />
          ))}
        </ol>
      )}
      <div role="status" className="mt-3 flex flex-wrap items-center gap-3 text-sm text-muted empty:hidden">
        {leftOut !== '' && <p>{leftOut}</p>}
        {gone !== undefined && !isFull && (
          <>
            <p>A photo was removed.</p>
            <button
              type="button"
              className="btn btn-sm h-11"
              onClick={() => {
                queue.restore(gone);
                setGone(undefined);
              }}
            >
              Undo
            </button>
          </>
        )}
      </div>
      {error !== undefined && (
        <p className="mt-2 text-sm text-error" data-field-error>
          {error}
        </p>
      )}
    </section>
  );
};
