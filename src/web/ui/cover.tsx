import { useCallback, useState } from 'react';
import { classes } from './classes.ts';
import { coverArt } from './cover-art.ts';

export interface CoverProps {
  title: string;
  authors: string;
  /** Where the picture of it is; where that is not in the shop, and when it does not load, the cover is drawn. */
  imageUrl: string;
  /**
   * True for what is seen first and is largest there: it is asked for before the page's own styles. Everything else
   * loads when it comes near.
   */
  eager?: boolean;
  /** True where the title stands beside it: the cover then says nothing to screen readers. */
  decorative?: boolean;
  className?: string;
}

const WIDTH = 200;
const HEIGHT = 300;

/** A cover in cloth and ink, drawn from title and authors by `cover.css`. */
const drawnCover = ({ title, authors, decorative, className }: CoverProps) => {
  const { cloth, ornament, size, direction, lines, authorLines } = coverArt(title, authors);
  const label = decorative === true ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `Cover of ${title}` };
  return (
    <div className={classes(`cover-frame drawn cloth-${cloth} ${ornament} letters-${size}`, className)} {...label}>
      <b dir={direction === 'rtl' ? direction : undefined}>{lines.join('\n')}</b>
      {authorLines.length > 0 && <i>{authorLines.join('\n')}</i>}
    </div>
  );
};

const PictureCover = (props: CoverProps) => {
  const { title, imageUrl, eager = false, decorative = false, className } = props;
  const [broken, setBroken] = useState(false);
  // A picture may have failed before the page came alive, when nobody was listening yet.
  const look = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete === true && image.naturalWidth === 0) setBroken(true);
  }, []);
  if (broken) return drawnCover(props);
  return (
    <div className={classes('cover-frame', className)}>
      <img
        ref={look}
        src={imageUrl}
        alt={decorative ? '' : `Cover of ${title}`}
        width={WIDTH}
        height={HEIGHT}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setBroken(true)}
      />
    </div>
  );
};

/** What is shown: of an address the path of a photo, so that it is the shop's own; or a picture of this browser. */
const SHOWN = /^blob.*|\/photos\/.*/;

/** The cover of a book at a fixed 2 : 3, from its picture or drawn. The size comes from `className`. */
export const Cover = (props: CoverProps) => {
  const [imageUrl] = SHOWN.exec(props.imageUrl) ?? [];
  return imageUrl === undefined ? drawnCover(props) : <PictureCover {...props} imageUrl={imageUrl} />;
};
