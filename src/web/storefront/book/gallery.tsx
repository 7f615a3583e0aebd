import {
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
} from 'react';
import { CAPTION_WORDS, photoAlt } from '#contract/catalog/photo-words.ts';
import { type ListingPhoto } from '#contract/catalog/photos.ts';
import { photoPath } from '#contract/catalog/photo-path.ts';
import { photoWidths } from '#contract/catalog/photo-sizes.ts';
import { classes } from '#web/ui/classes.ts';
import { ArrowIcon } from '#web/ui/arrow-icon.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { reportPath } from '#web/shell/data/report-path.ts';
import { tintOf } from '#web/shell/data/photo.ts';

/** The sizes of a photo as `srcset` of `<img>` takes them. */
const sourcesOf = (photo: ListingPhoto): string =>
  photoWidths(photo)
    .map(({ side, width }) => `${photoPath(photo.name, side)} ${width}w`)
    .join(',');

interface GalleryProps {
  title: string;
  /** At least one; the first is the cover. */
  photos: readonly ListingPhoto[];
}

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
};

interface Row {
  readonly row: RefObject<HTMLUListElement | null>;
  /** The one that is seen. */
  readonly at: number;
  readonly go: (to: number, smoothly?: boolean) => void;
  readonly onScroll: (event: UIEvent<HTMLUListElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A row of photos that a finger swipes, and buttons and keys move; which one is seen. */
const useRow = (count: number): Row => {
  const row = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  const go = (to: number, smoothly = true): void => {
    const element = row.current;
    if (element === null || to < 0 || to >= count) return;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({ left: to * element.clientWidth, behavior: smoothly && !isCalm ? 'smooth' : 'instant' });
    setAt(to);
  };
  return {
    row,
    at,
    go,
    onScroll: ({ currentTarget: { scrollLeft, clientWidth } }) => {
      const seen = clientWidth === 0 ? 0 : Math.round(Math.abs(scrollLeft) / clientWidth);
      // While it moves to where somebody asked to go, it passes others.
      if (Math.abs(Math.abs(scrollLeft) - seen * clientWidth) < 1) setAt(seen);
    },
    onKeyDown: (event) => {
      const to = KEYS[event.key]?.(at, count - 1);
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    },
  };
};

const ROUND = 'btn btn-circle absolute top-1/2 size-11 -translate-y-1/2 border-base-300 bg-base-100/90';

const Arrows = ({ at, count, onGo }: { at: number; count: number; onGo: (to: number) => void }) => (
  <>
    {at > 0 && (
      <button
        type="button"
        className={classes(ROUND, 'start-2 rotate-180')}
        aria-label="The photo before"
        onClick={() => onGo(at - 1)}
      >
        <ArrowIcon />
      </button>
    )}
    {at < count - 1 && (
      <button
        type="button"
        className={classes(ROUND, 'end-2')}
        aria-label="The next photo"
        onClick={() => onGo(at + 1)}
      >
        <ArrowIcon />
      </button>
    )}
  </>
);

const ROW = 'flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none]';

/** One photo on the whole screen, at first as large as it fits, then as large as it is. */
const Zoomed = ({ title, photos, first, onClose }: GalleryProps & { first: number; onClose: () => void }) => {
  const { row, at, go, onScroll, onKeyDown } = useRow(photos.length);
  const [isLarge, setIsLarge] = useState(false);
  const open = (dialog: HTMLDialogElement | null): void => {
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    go(first, false);
  };
  return (
    <dialog
      ref={open}
      className="m-0 h-dvh max-h-none w-dvw max-w-none bg-base-100 p-0 text-base-content"
      aria-label={`Photos of ${title}`}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <ul ref={row} className={classes(ROW, 'size-full')} onScroll={onScroll}>
        {photos.map((photo, n) => (
          <li
            key={photo.id}
            className={classes(
              'size-full shrink-0 snap-center overflow-auto',
              !isLarge && 'flex items-center justify-center',
            )}
          >
            <button
              type="button"
              className={isLarge ? 'block w-max cursor-zoom-out' : 'size-full cursor-zoom-in'}
              aria-label={`${photoAlt(title, photo, n)}: as large as ${isLarge ? 'the screen' : 'it is'}`}
              onClick={() => setIsLarge(!isLarge)}
            >
              <img
                src={photoPath(photo.name, 1_600)}
                alt={photoAlt(title, photo, n)}
                width={photo.width}
                height={photo.height}
                loading="lazy"
                className={isLarge ? 'max-w-none' : 'size-full object-contain'}
              />
            </button>
          </li>
        ))}
      </ul>
      <Arrows at={at} count={photos.length} onGo={go} />
      <p className="absolute inset-x-0 bottom-2 text-center">
        <a
          href={reportPath('photo', photos[at]?.id ?? '')}
          rel="nofollow"
          className="rounded-field bg-base-100/90 px-3 py-2 text-sm text-link"
        >
          Report this photo
        </a>
      </p>
      <form method="dialog">
        <button
          type="submit"
          className="btn btn-circle absolute end-3 top-3 size-11 border-base-300"
          aria-label="Close"
        >
          <CloseIcon />
        </button>
      </form>
    </dialog>
  );
};

const showLabel = ({ caption }: ListingPhoto, n: number): string =>
  `Show photo ${n + 1}${caption === null ? '' : `: ${CAPTION_WORDS[caption].toLowerCase()}`}`;

/** Leaves out what does not load: after a restore, files may be missing that the shop still tells of. */
const useLoading = (photos: readonly ListingPhoto[]) => {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const leaveOut = (id: string): void => setGone((old) => new Set(old).add(id));
  return {
    shown: photos.filter(({ id }) => !gone.has(id)),
    watch: (id: string) => ({
      // One may have failed before the page came alive, when nobody was listening yet.
      ref: (image: HTMLImageElement | null): void => {
        if (image?.complete === true && image.naturalWidth === 0 && !gone.has(id)) leaveOut(id);
      },
      onError: () => leaveOut(id),
    }),
  };
};

/**
 * The photos of a copy: swiped, or moved by arrows and keys, and each as large as it is. `drawn` stands there where
 * none can be shown.
 */
export const Gallery = ({ title, photos: all, drawn }: GalleryProps & { drawn: ReactNode }) => {
  const { shown: photos, watch } = useLoading(all);
  return photos.length === 0 ? drawn : <Photos title={title} photos={photos} watch={watch} />;
};

type Watch = (id: string) => Pick<ComponentProps<'img'>, 'ref' | 'onError'>;

const Photos = ({ title, photos, watch }: GalleryProps & { watch: Watch }) => {
  const { row, at, go, onScroll, onKeyDown } = useRow(photos.length);
  const [isZoomed, setIsZoomed] = useState(false);
  return (
    <section aria-label="Photos" className="mx-auto w-full self-start">
      <div className="relative mx-auto w-[min(100%,max(14rem,30svh))] sm:w-full">
        <ul ref={row} className={classes(ROW, 'aspect-3/4 rounded-box bg-base-200 shadow-md')} onScroll={onScroll}>
          {photos.map((photo, n) => (
            <li key={photo.id} className={classes('relative size-full shrink-0 snap-center', tintOf(photo.colour))}>
              <button
                type="button"
                className="block size-full cursor-zoom-in"
                aria-label={`${photoAlt(title, photo, n)}: show it large`}
                onClick={() => setIsZoomed(true)}
                onKeyDown={onKeyDown}
              >
                <img
                  {...watch(photo.id)}
                  src={photoPath(photo.name, 720)}
                  srcSet={sourcesOf(photo)}
                  sizes="(min-width: 64rem) 20rem, (min-width: 40rem) 16rem, max(14rem, 30vh)"
                  alt={photoAlt(title, photo, n)}
                  width={photo.width}
                  height={photo.height}
                  loading={n === 0 ? 'eager' : 'lazy'}
                  fetchPriority={n === 0 ? 'high' : undefined}
                  decoding="async"
                  className="size-full object-contain"
                />
              </button>
            </li>
          ))}
        </ul>
        {photos.length > 1 && <Arrows at={at} count={photos.length} onGo={go} />}
      </div>
      {photos.length > 1 && (
        <p className="mt-2 text-center text-sm text-muted" role="status">
          {`${at + 1} of ${photos.length}`}
        </p>
      )}
      {photos.length > 1 && (
        <ul className="mt-2 flex flex-wrap justify-center gap-2">
          {photos.map((photo, n) => (
            <li key={photo.id}>
              <button
                type="button"
                className={classes(
                  'block size-14 overflow-hidden rounded-sm border-2',
                  tintOf(photo.colour),
                  n === at ? 'border-primary' : 'border-base-300',
                )}
                aria-label={showLabel(photo, n)}
                aria-current={n === at ? 'true' : undefined}
                onClick={() => go(n)}
              >
                <img
                  src={photoPath(photo.name, 320)}
                  alt=""
                  width={56}
                  height={56}
                  loading="lazy"
                  className="size-full object-cover"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isZoomed && <Zoomed title={title} photos={photos} first={at} onClose={() => setIsZoomed(false)} />}
    </section>
  );
};
