import { useSyncExternalStore } from 'react';
import { WarningIcon } from '#web/ui/icons.tsx';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/**
 * Says that the machine is offline for as long as it is, over the page, so that nothing moves; in the document from the
 * start, so that it is read out.
 */
export const OfflineNotice = () => {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!online && (
        <p className="fixed inset-x-0 bottom-0 z-20 flex items-center justify-center gap-2 bg-neutral px-4 py-2 text-sm text-neutral-content">
          <WarningIcon className="size-4 shrink-0" />
          You are offline. What you see stays; new pages and bookings have to wait.
        </p>
      )}
    </div>
  );
};
