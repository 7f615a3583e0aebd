import { useCallback, useState } from 'react';
import { classes } from './classes.ts';
import { coverArt } from './cover-art.ts';
import { coverMarkup } from './cover-markup.ts';

export interface CoverProps {
  title: string;
  authors: string;
  /** `""` when there is no picture: then, and when it does not load, the cover is drawn. */
  imageUrl: string;
  /** True for what is seen first; everything else loads when it comes near. */
  eager?: boolean;
  /** True where the title stands beside it: the cover then says nothing to screen readers. */
  decorative?: boolean;
  className?: string;
}

const WIDTH = 200;
const HEIGHT = 300;

/** A cover in cloth and ink, drawn from title and authors. A page of them is written as text: React's elements for it cost the most. */
const DrawnCover = ({ title, authors, decorative }: { title: string; authors: string; decorative: boolean }) => {
  const label = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `Cover of ${title}` };
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block size-full font-serif"
      {...label}
      // oxlint-disable-next-line react/no-danger -- what people typed is escaped where it is drawn
      dangerouslySetInnerHTML={{ __html: coverMarkup(coverArt(title, authors)) }}
    />
  );
};

/** The cover of a book at a fixed 2 : 3, from its picture or drawn. The size comes from `className`. */
export const Cover = ({ title, authors, imageUrl, eager = false, decorative = false, className }: CoverProps) => {
  const [broken, setBroken] = useState('');
  // A picture may have failed before the page came alive, when nobody was listening yet.
  const look = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete === true && image.naturalWidth === 0) setBroken(image.src);
  }, []);
  const drawn = imageUrl === '' || broken !== '';
  return (
    <div className={classes('aspect-2/3 overflow-hidden rounded-sm bg-base-300 shadow-md', className)}>
      {drawn ? (
        <DrawnCover title={title} authors={authors} decorative={decorative} />
      ) : (
        <img
          ref={look}
          src={imageUrl}
          alt={decorative ? '' : `Cover of ${title}`}
          width={WIDTH}
          height={HEIGHT}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          referrerPolicy="no-referrer"
          className="block size-full object-cover"
          onError={() => setBroken(imageUrl)}
        />
      )}
    </div>
  );
};
