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

const linesOf = (lines: readonly string[], top: number, size: number) =>
  lines.map((line, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines of a title have no other name and never move
    <tspan key={place} x={MIDDLE} y={+(top + place * size * 1.15).toFixed(2)}>
      {line}
    </tspan>
  ));

/** One path where one will do: a page has dozens of covers. */
const ornamentOf = ({ layout, accent }: CoverArt) => {
  switch (layout) {
    case 'frame':
      return (
        <g fill="none" stroke={accent}>
          <path d="M14 12h174v276H14z" strokeWidth="2.5" />
          <path d="M19 17h164v266H19z" strokeWidth=".8" />
        </g>
      );
    case 'band':
      return <path fill={accent} d="M0 0h200v34H0zM0 40h200v3H0zM0 288h200v12H0z" />;
    case 'rules':
      return (
        <path
          fill={accent}
          d="M34 40h138v3H34zM34 46h138v1H34zM103 208l7 7-7 7-7-7zM34 214.5h54v1H34zM118 214.5h54v1h-54z"
        />
      );
    case 'panel':
      return (
        <>
          <path d="M12 206h180v82H12z" fill={accent} fillOpacity=".16" />
          <circle cx="103" cy="36" r="9" fill="none" stroke={accent} strokeWidth="2" />
          <circle cx="103" cy="36" r="3" fill={accent} />
        </>
      );
    default:
      return layout satisfies never;
  }
};

/** A cover in cloth and ink, drawn from title and authors. Colours are SVG attributes: the pages' policy has no inline styles. */
const DrawnCover = ({ title, authors, decorative }: { title: string; authors: string; decorative: boolean }) => {
  const art = coverArt(title, authors);
  const top = 125 - (art.lines.length * art.size * 1.15) / 2 + art.size;
  const label = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `Cover of ${title}` };
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="cover" fill={art.ink} textAnchor="middle" {...label}>
      <path fill={art.cloth} d="M0 0h200v300H0z" />
      {ornamentOf(art)}
      <path d="M0 0h7v300H0z" fill="#000" fillOpacity=".18" />
      <text direction={art.direction} fontSize={art.size} fontWeight="700">
        {linesOf(art.lines, top, art.size)}
      </text>
      <text fontSize="13.5" fontWeight="500">
        {linesOf(art.authorLines, 250, 14)}
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
    <div className={classes('cover-frame', className)}>
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
