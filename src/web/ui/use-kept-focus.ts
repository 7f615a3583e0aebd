import { useEffect, useRef, type RefObject } from 'react';

/**
 * Where the focus was on something that is gone once `what` has changed, it goes on to the element with this ref, which
 * takes it by `tabIndex={-1}`.
 */
export const useKeptFocus = <E extends HTMLElement>(what: string | boolean | null): RefObject<E | null> => {
  const place = useRef<E>(null);
  const before = useRef(what);
  useEffect(() => {
    if (before.current === what) return;
    before.current = what;
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [what]);
  return place;
};
