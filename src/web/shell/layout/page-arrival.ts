import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** What a page opens by itself, or where somebody already is, keeps the focus. */
const KEEPS_FOCUS = 'dialog[open], main input, main select, main textarea';

const placeOf = (hash: string): HTMLElement | null => {
  const named = hash === '' ? null : document.getElementById(hash.slice(1));
  return named ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
};

/** Without scrolling: the router has put the page where it belongs. */
const moveFocusTo = (place: HTMLElement): void => {
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
};

/**
 * After each step to another page moves the focus to its heading, as a browser does when it loads a page, and answers
 * the page's title to be read out; empty on the first page, which the browser reads itself. Opening a dialog, which
 * only changes the query, is no step.
 */
export const usePageArrival = (): string => {
  const { pathname, hash } = useLocation();
  const last = useRef(pathname);
  const [title, setTitle] = useState('');
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    setTitle(document.title);
    if (document.activeElement?.closest(KEEPS_FOCUS) != null) return;
    const place = placeOf(hash);
    if (place !== null) moveFocusTo(place);
  }, [pathname, hash]);
  return title;
};
