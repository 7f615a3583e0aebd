import { Link } from 'react-router';
import { buttonClass, type ButtonLook } from '#web/ui/button.tsx';
import { wantPath, type Wanted } from './want-path.ts';

/** Leads to where a reader is told when there is one; whoever has no account yet keeps what is known of the book. */
export const TellMe = ({ look = 'secondary', ...wanted }: Wanted & { look?: ButtonLook }) => (
  <Link
    to={wantPath(wanted)}
    className={buttonClass(look, 'md', 'h-auto min-h-11 max-w-full shrink py-2 whitespace-normal')}
    rel="nofollow"
  >
    Tell me when there is one
  </Link>
);
