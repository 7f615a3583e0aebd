import { icon } from './icons.tsx';

// Apart from the others, which every page loads.
export const VerifiedIcon = icon(
  <>
    <path d="M12 3l2.3 1.7 2.8-.1.8 2.7 2.3 1.7-.9 2.7.9 2.7-2.3 1.7-.8 2.7-2.8-.1L12 20.8l-2.3-1.8-2.8.1-.8-2.7-2.3-1.7.9-2.7-.9-2.7 2.3-1.7.8-2.7 2.8.1z" />
    <path d="M9 12l2.2 2.2L15.2 10" />
  </>,
);

/** Beside the name of a seller whom the shop has checked. */
export const VerifiedMark = ({ size = 'size-4' }: { size?: 'size-4' | 'size-5' }) => (
  <span title="Verified seller" className="shrink-0 text-primary">
    <VerifiedIcon className={size} />
    <span className="sr-only">Verified seller</span>
  </span>
);
