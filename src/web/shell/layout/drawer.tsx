import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { classes } from '#web/ui/classes.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { Toasts } from '#web/ui/toast/toast.tsx';

const SIDES = { left: 'right-auto left-0 border-r', right: 'right-0 left-auto border-l' } as const;

/** From 1024 px it is no drawer any more but stands in its place on the page. */
const IN_PLACE =
  'lg:static lg:block lg:h-auto lg:w-auto lg:max-w-none lg:overflow-visible lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none';

export interface DrawerProps {
  /** What the button that opens it names as its `popoverTarget`. */
  id: string;
  side: 'left' | 'right';
  /** Only small screens need it closed: on wide ones its content is part of the page. */
  inPlace?: boolean;
  /** It stays open while what it does changes the query only, as choosing filters does. */
  stays?: boolean;
  /** What stands beside the button that closes it. */
  head?: ReactNode;
  children: ReactNode;
}

/**
 * A panel at the edge of the screen: a native popover, so it opens without JavaScript, closes with Escape and gives
 * focus back.
 */
export const Drawer = ({ id, side, inPlace = false, stays = false, head, children }: DrawerProps) => {
  const panel = useRef<HTMLDivElement>(null);
  const { key, pathname } = useLocation();
  const at = stays ? pathname : key;
  const [isOpen, setOpen] = useState(false);
  const openedAt = useRef(at);
  useEffect(() => {
    // Opened before the page came alive, it stays open: only going somewhere closes it.
    if (openedAt.current === at) return;
    openedAt.current = at;
    if (panel.current?.matches(':popover-open') === true) panel.current.hidePopover();
  }, [at]);
  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      onToggle={(event) => setOpen(event.newState === 'open')}
      className={classes(
        'fixed inset-y-0 m-0 h-dvh max-h-none w-80 max-w-[85vw] overflow-y-auto border-base-300 bg-base-100 p-4 text-base-content shadow-xl backdrop:bg-neutral/50',
        SIDES[side],
        inPlace && IN_PLACE,
      )}
    >
      <div className={classes('mb-2 flex items-center gap-1', inPlace && 'lg:hidden')}>
        <div className="mr-auto flex min-w-0 items-center">{head}</div>
        <button
          type="button"
          className="btn btn-circle btn-ghost"
          aria-label="Close menu"
          popoverTarget={id}
          popoverTargetAction="hide"
        >
          <CloseIcon />
        </button>
      </div>
      {children}
      {isOpen && <Toasts />}
    </div>
  );
};
