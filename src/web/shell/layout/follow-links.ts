import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * What a browser does by itself: another tab, a download, an address that is no page of the shop, a place on the same
 * page.
 */
const isBrowsers = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey ||
  link.target !== '' ||
  link.hasAttribute('download') ||
  link.origin !== location.origin ||
  link.relList.contains('external') ||
  link.getAttribute('href')?.startsWith('#') === true;

/**
 * Lets the router follow plain links within the shop. Pages have dozens of them, and one listener for all costs less to
 * render and to bring to life than the router's own link in each place; what needs more than an address is still a
 * `Link`. One that is marked `data-stay` leaves the page where it is scrolled to, as choices beside a list do.
 */
export const useFollowLinks = (): void => {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const here = `${pathname}${search}${hash}`;
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (event.defaultPrevented || link === null || isBrowsers(event, link)) return;
      event.preventDefault();
      const to = `${link.pathname}${link.search}${link.hash}`;
      void navigate(to, { replace: to === here, preventScrollReset: link.hasAttribute('data-stay') });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [navigate, here]);
};
