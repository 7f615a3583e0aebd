import { useEffect, useRef } from 'react';
import { fitted } from './shrink.ts';

const SIDE = 480;

interface Props {
  /** Undefined until it is there. */
  picture: Blob | undefined;
  label: string;
  /** The longer side in pixels that it is drawn with at most. */
  side?: number;
  /** Its size in pixels where that is known before it is there, so that nothing moves by it. */
  size?: { readonly width: number; readonly height: number };
  className?: string;
}

/**
 * A picture that only this browser has, or that is fetched with an access token, drawn: the pages' policy allows no
 * `blob:` pictures.
 */
export const PictureCanvas = ({ picture, label, side = SIDE, size, className = 'size-full object-cover' }: Props) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (picture === undefined) return undefined;
    let isOver = false;
    void createImageBitmap(picture)
      .then((bitmap) => {
        const element = canvas.current;
        if (!isOver && element !== null) {
          Object.assign(element, fitted(bitmap.width, bitmap.height, side));
          element.getContext('2d')?.drawImage(bitmap, 0, 0, element.width, element.height);
        }
        bitmap.close();
      })
      .catch(() => {});
    return () => {
      isOver = true;
    };
  }, [picture, side]);
  return <canvas ref={canvas} {...size} role="img" aria-label={label} className={className} />;
};
