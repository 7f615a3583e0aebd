import { useCallback, useState } from 'react';
import { classes } from './classes.ts';
import { coverArt, type CoverArt } from './cover-art.ts';

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
const MIDDLE = WIDTH / 2;

const Lines = ({ lines, top, size }: { lines: readonly string[]; top: number; size: number }) =>
  lines.map((line, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines of a title have no other name and never move
    <tspan key={place} x={MIDDLE} y={top + place * size * 1.15}>
      {line}
    </tspan>
  ));

const Ornament = ({ art }: { art: CoverArt }) => {
  switch (art.layout) {
    case 'frame':
      return (
        <g fill="none" stroke={art.accent}>
          <rect x="14" y="12" width="174" height="276" strokeWidth="2.5" />
          <rect x="19" y="17" width="164" height="266" strokeWidth="0.8" />
        </g>
      );
    case 'band':
      return (
        <g fill={art.accent}>
          <rect x="0" y="0" width={WIDTH} height="34" />
          <rect x="0" y="40" width={WIDTH} height="3" />
          <rect x="0" y="288" width={WIDTH} height="12" />
        </g>
      );
    case 'rules':
      return (
        <g fill={art.accent}>
          <rect x="34" y="40" width="138" height="3" />
          <rect x="34" y="46" width="138" height="1" />
          <path d="M103 208l7 7-7 7-7-7z" />
          <rect x="34" y="214.5" width="54" height="1" />
          <rect x="118" y="214.5" width="54" height="1" />
        </g>
      );
    case 'panel':
      return (
        <g>
          <rect x="12" y="206" width="180" height="82" fill={art.accent} fillOpacity="0.16" />
          <circle cx="103" cy="36" r="9" fill="none" stroke={art.accent} strokeWidth="2" />
          <circle cx="103" cy="36" r="3" fill={art.accent} />
        </g>
      );
    default:
      return art.layout satisfies never;
  }
};

/** A cover in cloth and ink, drawn from title and authors. Colours are SVG attributes: the pages' policy has no inline styles. */
const DrawnCover = ({ title, authors, decorative }: { title: string; authors: string; decorative: boolean }) => {
  const art = coverArt(title, authors);
  const height = art.lines.length * art.size * 1.15;
  const top = 125 - height / 2 + art.size;
  const label = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `Cover of ${title}` };
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="block size-full font-serif" {...label}>
      <rect width={WIDTH} height={HEIGHT} fill={art.cloth} />
      <Ornament art={art} />
      <rect width="7" height={HEIGHT} fill="#000" fillOpacity="0.18" />
      <text direction={art.direction} textAnchor="middle" fontSize={art.size} fontWeight="700" fill={art.ink}>
        <Lines lines={art.lines} top={top} size={art.size} />
      </text>
      <text textAnchor="middle" fontSize="13.5" fontWeight="500" fill={art.ink}>
        <Lines lines={art.authorLines} top={250} size={14} />
      </text>
    </svg>
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
