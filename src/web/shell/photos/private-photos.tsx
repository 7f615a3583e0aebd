import { useEffect, useState } from 'react';
import { type OrderPhoto } from '#contract/catalog/photos.ts';
import { readPhoto } from '#contract/catalog/photo-calls.ts';
import { type PhotoSide } from '#contract/catalog/photo-sizes.ts';
import { messageOf } from '#web/api/api-error.ts';
import { callFile } from '#web/api/call-file.ts';
import { tintOf } from '#web/shell/data/photo.ts';
import { PictureCanvas } from '#web/shell/photos/picture-canvas.tsx';
import { fitted } from '#web/shell/photos/shrink.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Modal } from '#web/ui/modal.tsx';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';

/** A picture that is fetched, or why it was not. */
type Fetched = { readonly picture: Blob } | { readonly failure: string } | undefined;

/** Fetches a private photo as whoever is signed in; no cache keeps it. */
const usePicture = (id: string, side: PhotoSide): { fetched: Fetched; tries: number; retry: () => void } => {
  const [fetched, setFetched] = useState<Fetched>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isOver = false;
    callFile(readPhoto, {}, { id, side: String(side) }).then(
      (picture) => !isOver && setFetched({ picture }),
      (error: unknown) => !isOver && setFetched({ failure: messageOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [id, side, tries]);
  const retry = (): void => {
    setFetched(undefined);
    setTries(tries + 1);
  };
  return { fetched, tries, retry };
};

const LARGE: PhotoSide = 1_600;
const SMALL: PhotoSide = 720;

const Failure = ({ says, onRetry }: { says: string; onRetry: () => void }) => (
  <div role="alert" className="flex flex-col items-start gap-2 text-sm">
    <p>This photo cannot be shown. {says}</p>
    <Button look="secondary" onClick={onRetry}>
      Try again
    </Button>
  </div>
);

interface PhotoProps {
  photo: OrderPhoto;
  label: string;
}

const Large = ({ photo, label }: PhotoProps) => {
  const { fetched, tries, retry } = usePicture(photo.id, LARGE);
  const hasFailed = fetched !== undefined && 'failure' in fetched;
  const place = useKeptFocus<HTMLDivElement>(String(tries));
  return (
    <div ref={place} tabIndex={-1}>
      {hasFailed ? (
        <Failure says={fetched.failure} onRetry={retry} />
      ) : (
        <PictureCanvas
          picture={fetched?.picture}
          label={label}
          side={LARGE}
          size={fitted(photo.width, photo.height, LARGE)}
          className={classes('mx-auto max-h-[75dvh] max-w-full rounded-box', tintOf(photo.colour))}
        />
      )}
    </div>
  );
};

const Small = ({ photo, label, onOpen }: PhotoProps & { onOpen: () => void }) => {
  const { fetched, tries, retry } = usePicture(photo.id, SMALL);
  const hasFailed = fetched !== undefined && 'failure' in fetched;
  const place = useKeptFocus<HTMLLIElement>(String(tries));
  return (
    <li ref={place} tabIndex={-1} aria-label={label}>
      {hasFailed ? (
        <Failure says={fetched.failure} onRetry={retry} />
      ) : (
        <button
          type="button"
          aria-label={`Show ${label} large`}
          className={classes(
            'block aspect-3/4 w-full cursor-zoom-in overflow-hidden rounded-box border border-base-300',
            tintOf(photo.colour),
          )}
          onClick={onOpen}
        >
          <PictureCanvas picture={fetched?.picture} label={label} side={SMALL} />
        </button>
      )}
    </li>
  );
};

/** What somebody shows to those whom it concerns; `of` says what it is about. Pressed, one is seen large. */
export const PrivatePhotos = ({ photos, of }: { photos: readonly OrderPhoto[]; of: string }) => {
  const [shown, setShown] = useState<number>();
  if (photos.length === 0) return null;
  const labelOf = (at: number): string => `photo ${at + 1} of ${photos.length} ${of}`;
  const photo = shown === undefined ? undefined : photos[shown];
  return (
    <>
      <ul aria-label={`Photos ${of}`} className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-4">
        {photos.map((one, at) => (
          <Small key={one.id} photo={one} label={labelOf(at)} onOpen={() => setShown(at)} />
        ))}
      </ul>
      <Modal
        open={photo !== undefined}
        title={`Photo ${(shown ?? 0) + 1} of ${photos.length}`}
        isWide
        onClose={() => setShown(undefined)}
      >
        {photo !== undefined && <Large key={photo.id} photo={photo} label={labelOf(shown ?? 0)} />}
      </Modal>
    </>
  );
};
