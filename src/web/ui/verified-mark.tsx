import { VerifiedIcon } from './icons.tsx';

/** Beside the name of a seller whom the shop has checked. */
export const VerifiedMark = ({ size = 'size-4' }: { size?: 'size-4' | 'size-5' }) => (
  <span title="Verified seller" className="shrink-0 text-primary">
    <VerifiedIcon className={size} />
    <span className="sr-only">Verified seller</span>
  </span>
);
