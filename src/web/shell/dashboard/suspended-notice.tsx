import type { Suspension } from '#contract/admin/suspending.ts';
import { Time } from '#web/shell/data/time.tsx';
import { CONTACT_EMAIL } from '#web/shell/layout/places.ts';
import { Notice } from '#web/ui/states.tsx';

/** Tells whoever is suspended why, until when, and what still goes on. */
export const SuspendedNotice = ({ suspension: { reason, until } }: { suspension: Suspension }) => (
  <div className="mb-6">
    <Notice tone="warning" title="Your account is suspended">
      <p>
        {until === null ? (
          'Until the shop lifts it'
        ) : (
          <>
            Until <Time at={until} as="moment" />
          </>
        )}
        , because: <span dir="auto">{reason}</span>
      </p>
      <p className="mt-2">
        Your books are out of sight, and you cannot book, list or write to others. Orders under way go on: please send
        what was paid. If you think this is a mistake, write to{' '}
        <a href={`mailto:${CONTACT_EMAIL}`} className="text-link break-all">
          {CONTACT_EMAIL}
        </a>
        .
      </p>
    </Notice>
  </div>
);
