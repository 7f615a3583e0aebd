import './page-turning.css';

const LINES = [92, 106, 120, 134, 148, 162];

/** Lines of print, right of the spine; the last one ends early, as paragraphs do. */
const Print = ({ className }: { className: string }) => (
  <g className={className} strokeWidth="3" strokeLinecap="round">
    {LINES.map((y, line) => (
      <path key={y} d={`M176 ${y} h${line === LINES.length - 1 ? 52 : 96}`} />
    ))}
  </g>
);

const Leaf = ({ className }: { className: string }) => (
  <g className={className}>
    <path
      d="M160 66 C190 54 240 52 284 60 V184 C240 176 190 178 160 190 Z"
      className="fill-base-100 stroke-base-300"
      strokeWidth="1.5"
    />
    <Print className="stroke-base-content/20" />
  </g>
);

/** An open book whose pages turn; `turning` keeps them turning while something is under way. Says nothing by itself. */
export const PageTurning = ({ turning, className }: { turning: boolean; className?: string }) => (
  <svg viewBox="0 0 320 250" className={className} aria-hidden="true">
    <ellipse cx="160" cy="214" rx="136" ry="12" className="fill-base-content/10" />
    <path
      d="M28 62 C72 50 128 52 160 70 C192 52 248 50 292 62 V200 C248 190 192 190 160 206 C128 190 72 190 28 200 Z"
      className="fill-primary"
    />
    <g className="fill-base-100 stroke-base-300" strokeWidth="1.5">
      <path d="M160 66 C130 54 80 52 36 60 V184 C80 176 130 178 160 190 Z" />
      <path d="M160 66 C190 54 240 52 284 60 V184 C240 176 190 178 160 190 Z" />
    </g>
    <g transform="matrix(-1 0 0 1 320 0)">
      <Print className="stroke-base-content/20" />
    </g>
    <Print className="stroke-base-content/20" />
    <g data-turning={turning ? 'on' : 'off'}>
      <Leaf className="leaf leaf-3" />
      <Leaf className="leaf leaf-2" />
      <Leaf className="leaf leaf-1" />
    </g>
    <path d="M262 58 l22 3 v22 z" className="fill-primary/70" />
  </svg>
);
