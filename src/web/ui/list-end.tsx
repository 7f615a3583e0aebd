import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Notice } from './states.tsx';

/** A list that goes on page by page (shell/use-more.ts). */
export interface OpenList {
  readonly rows: readonly unknown[];
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly failure: string | undefined;
  readonly more: () => Promise<void>;
}

/** The end of a list: how much of it is shown, and a button for the rest. */
export const ListEnd = ({ list: { rows, hasMore, busy, failure, more: onMore } }: { list: OpenList }) => {
  const count = rows.length;
  const told = useRef<HTMLParagraphElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    // With the last page the button goes away; whoever pressed it by keyboard stays at this place.
    if (!hasMore && wasPressed.current) told.current?.focus({ preventScroll: true });
  }, [hasMore]);
  const more = (): void => {
    wasPressed.current = true;
    void onMore();
  };
  return (
    <div className="mt-6 flex flex-col items-center gap-3">
      {failure !== undefined && (
        <Notice tone="error" title="The next ones could not be loaded">
          {failure}
        </Notice>
      )}
      <p ref={told} role="status" tabIndex={-1} className="text-sm text-muted outline-none">
        {hasMore ? `The first ${count} are shown.` : count > 1 ? `All ${count} are shown.` : ''}
      </p>
      {hasMore && (
        <Button look="secondary" busy={busy} onClick={more}>
          {failure === undefined ? 'Show more' : 'Try again'}
        </Button>
      )}
    </div>
  );
};
