import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { createTwice, readBarcode } from './barcode.ts';
import { cameraProblem, openCamera, type Camera } from './camera.ts';
import { openDecoder, type Decode } from './decoder.ts';

interface Props {
  /** Given the digits of a book's barcode, those of its price behind them. */
  onBook: (digits: string) => void;
  onClose: () => void;
}

/** Between two looks: enough for a phone to stay cool. */
const PAUSE_MS = 120;
const BUZZ_MS = 60;
const NO_CODE = 'No barcode was found in that picture: hold the camera closer, and straight above it.';
const NO_DECODER = 'The reader of barcodes could not be loaded: type the number instead.';

/** Looks through the camera, again and again, until `take` says that it is enough; answers what ends it. */
const watch = (video: HTMLVideoElement, decode: Decode, take: (digits: string) => boolean): (() => void) => {
  const twice = createTwice();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    const found = await decode(video).catch(() => []);
    if (isOver) return;
    const digits = twice.look(found, performance.now());
    if (digits !== undefined && take(digits)) return;
    timer = setTimeout(() => void look(), PAUSE_MS);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};

/**
 * A dialog that finds the barcode of a book: through the camera, which it lets go of as soon as nobody looks, else in a
 * picture.
 */
export const Scanner = ({ onBook, onClose }: Props) => {
  const video = useRef<HTMLVideoElement>(null);
  const [camera, setCamera] = useState<Camera>();
  const [decode, setDecode] = useState<Decode>();
  const [problem, setProblem] = useState('');
  const [isLit, setIsLit] = useState(false);
  const [isHidden, setIsHidden] = useState(false);
  const taken = useRef(onBook);
  useEffect(() => {
    taken.current = onBook;
  });

  const take = (digits: string): boolean => {
    const read = readBarcode(digits);
    if ('problem' in read) {
      setProblem(read.problem);
      return false;
    }
    navigator.vibrate?.(BUZZ_MS);
    taken.current(digits);
    return true;
  };

  useEffect(() => {
    openDecoder().then(
      (opened) => setDecode(() => opened),
      () => setProblem(NO_DECODER),
    );
  }, []);

  useEffect(() => {
    const hide = (): void => setIsHidden(document.visibilityState === 'hidden');
    document.addEventListener('visibilitychange', hide);
    return () => document.removeEventListener('visibilitychange', hide);
  }, []);

  useEffect(() => {
    if (isHidden) return undefined;
    let opened: Camera | undefined;
    let isOver = false;
    openCamera().then(
      (found) => {
        if (isOver) return found.stop();
        opened = found;
        setCamera(found);
      },
      (error: unknown) => {
        if (!isOver) setProblem(cameraProblem(error));
      },
    );
    return () => {
      isOver = true;
      opened?.stop();
      setCamera(undefined);
      setIsLit(false);
    };
  }, [isHidden]);

  useEffect(() => {
    const element = video.current;
    if (camera === undefined || element === null) return undefined;
    element.srcObject = camera.stream;
    // A phone may refuse until it is touched; then the picture stays black, and there is the other way.
    void element.play().catch(() => {});
    if (decode === undefined) return undefined;
    const stop = watch(element, decode, take);
    return () => {
      stop();
      element.srcObject = null;
    };
  }, [camera, decode]);

  const readPicture = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    // The same picture may be chosen once more.
    target.value = '';
    if (file === undefined) return;
    if (decode === undefined) return setProblem(NO_DECODER);
    try {
      const picture = await createImageBitmap(file);
      const found = await decode(picture);
      picture.close();
      const [digits] = found.toSorted((one, other) => other.length - one.length);
      if (digits === undefined) setProblem(NO_CODE);
      else take(digits);
    } catch {
      setProblem(NO_CODE);
    }
  };

  const switchLight = (): void => {
    void camera?.setLight?.(!isLit).then(
      () => setIsLit(!isLit),
      () => setProblem('The light could not be switched.'),
    );
  };

  return (
    <Modal open title="Scan the barcode" onClose={onClose}>
      <p className="mb-3 text-sm text-muted">Hold it over the barcode that begins with 978 or 979.</p>
      <div className="relative aspect-[4/3] overflow-hidden rounded-box bg-neutral">
        <video ref={video} muted playsInline className="size-full object-cover" aria-label="What the camera sees" />
        <span
          aria-hidden="true"
          className="absolute inset-x-[12%] inset-y-[32%] rounded-field border-2 border-white/80"
        />
      </div>
      <p role="status" className="mt-3 text-sm text-muted empty:hidden">
        {problem === '' && (camera === undefined || decode === undefined) ? 'Getting ready…' : ''}
      </p>
      {problem !== '' && (
        <div className="mt-3">
          <Notice tone="warning">{problem}</Notice>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        {camera?.setLight !== undefined && (
          <Button look="secondary" aria-pressed={isLit} onClick={switchLight}>
            Light
          </Button>
        )}
        <label className={buttonClass('secondary', 'md', 'focus-within:outline-2 focus-within:outline-offset-2')}>
          Take a picture
          <input
            type="file"
            className="sr-only"
            accept="image/jpeg,image/png,image/webp,image/avif"
            capture="environment"
            onChange={(event) => void readPicture(event)}
          />
        </label>
        <Button look="quiet" onClick={onClose}>
          Type it instead
        </Button>
      </div>
    </Modal>
  );
};
