import { useId } from 'react';
import { Button } from '#web/ui/button.tsx';

/** The ways in through other services. They are closed in this shop for now, and say so. */
export const SocialButtons = ({ what }: { what: 'sign-in' | 'sign-up' }) => {
  const reasonId = useId();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3 text-sm text-muted" aria-hidden="true">
        <span className="h-px flex-1 bg-base-300" />
        or
        <span className="h-px flex-1 bg-base-300" />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Button look="secondary" disabled aria-describedby={reasonId}>
          Google
        </Button>
        <Button look="secondary" disabled aria-describedby={reasonId}>
          Github
        </Button>
      </div>
      <p id={reasonId} className="text-center text-sm text-muted">
        Google and Github {what} are not open in this shop yet. Please use your email and a password.
      </p>
    </div>
  );
};
