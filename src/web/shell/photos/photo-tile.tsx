import type { KeyboardEvent } from 'react';
import { PHOTO_CAPTIONS, type PhotoCaption } from '#contract/catalog/photo-rules.ts';
import { CAPTION_WORDS } from '#contract/catalog/photo-words.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { dragOver } from './drag-over.ts';
import type { PhotoItem } from './photo-queue.ts';
import { PictureCanvas } from './picture-canvas.tsx';

interface TileProps {
  item: PhotoItem;
  at: number;
  count: number;
  /** Whether the first is the cover, and each may say what it shows. */
  isOfCopy: boolean;
  onMove: (to: number) => void;
  onCaption: (caption: PhotoCaption | null) => void;
  onRemove: () => void;
  onRetry: () => void;
}

const Picture = ({ item: { preview }, label }: { item: PhotoItem; label: string }) => {
  if (preview === undefined) return <span className="skeleton block size-full rounded-none" />;
  if (typeof preview === 'string') return <img src={preview} alt={label} className="size-full object-cover" />;
  return <PictureCanvas picture={preview} label={label} />;
};

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** One photo of the form: what it shows, how far it is, and its place, by pointer and by keyboard. */
export const PhotoTile = ({ item, at, count, isOfCopy, onMove, onCaption, onRemove, onRetry }: TileProps) => {
  const label = `Photo ${at + 1} of ${count}${isOfCopy && at === 0 ? ', the cover' : ''}`;
  const moveByKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(at + step);
  };
  return (
    <li data-photo-at={at} className="flex min-w-0 flex-col gap-2" aria-label={label}>
      <div className="relative aspect-3/4 overflow-hidden rounded-box border border-base-300 bg-base-200">
        <Picture item={item} label={label} />
        {isOfCopy && at === 0 && (
          <span className="badge absolute start-2 bottom-2 border-base-300 bg-base-100 text-sm text-base-content">
            Cover
          </span>
        )}
        <button
          type="button"
          className="btn btn-circle absolute end-1 top-1 size-11 border-base-300 bg-base-100/90"
          aria-label={`Remove photo ${at + 1}`}
          onClick={onRemove}
        >
          <CloseIcon />
        </button>
        {count > 1 && (
          <button
            type="button"
            className="btn btn-circle absolute start-1 top-1 size-11 cursor-grab touch-none border-base-300 bg-base-100/90 text-lg"
            aria-label={`Move photo ${at + 1}: drag it, or press the arrow keys`}
            onKeyDown={moveByKey}
            onPointerDown={({ nativeEvent }) => dragOver(nativeEvent, onMove)}
          >
            <span aria-hidden="true">⠿</span>
          </button>
        )}
        {item.state === 'sending' && (
          <progress
            className="absolute inset-x-0 bottom-0 h-2 w-full accent-primary"
            value={item.progress}
            max={1}
            aria-label={`${label} is on its way`}
          />
        )}
      </div>
      {item.says !== undefined && (
        <p role="status" className={item.state === 'refused' ? 'text-sm text-error' : 'text-sm text-muted'}>
          {item.says}
        </p>
      )}
      {(item.state === 'refused' || item.says !== undefined) && item.state !== 'there' && (
        <button type="button" className="btn btn-sm h-11 self-start" onClick={onRetry}>
          Try again
        </button>
      )}
      {isOfCopy && (
        <label className="flex flex-col gap-1 text-sm">
          <span className="sr-only">What photo {at + 1} shows</span>
          <select
            className="select h-11 w-full text-base sm:text-sm"
            value={item.caption ?? ''}
            onChange={({ target: { value } }) => onCaption(PHOTO_CAPTIONS.find((caption) => caption === value) ?? null)}
          >
            <option value="">No caption</option>
            {PHOTO_CAPTIONS.map((caption) => (
              <option key={caption} value={caption}>
                {CAPTION_WORDS[caption]}
              </option>
            ))}
          </select>
        </label>
      )}
    </li>
  );
};
