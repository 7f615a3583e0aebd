import { useState } from 'react';
import { ACCOUNT_PATH } from './places.ts';
import { useSession } from '#web/shell/data/use-session.ts';

const PLACEHOLDER = '/avatar.svg';

/**
 * The signed-in person's photo, or the placeholder when there is none or it does not load, leading to their account;
 * the name is its title.
 */
export const Avatar = () => {
  const session = useSession();
  const [broken, setBroken] = useState('');
  const photo = session.status === 'in' ? session.user.photoURL : '';
  const name = session.status === 'in' ? session.user.displayName : '';
  const shown = photo === '' || photo === broken ? PLACEHOLDER : photo;
  return (
    <a href={ACCOUNT_PATH} className="hidden rounded-full p-1 signed-in:block" aria-label="Your account">
      <img
        src={shown}
        alt={name === '' ? 'Your account' : name}
        title={name}
        width={36}
        height={36}
        loading="lazy"
        className="size-9 rounded-full border border-base-300 object-cover"
        onError={() => setBroken(photo)}
      />
    </a>
  );
};
