import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { BOOK } from '#web/shell/data/return-path.ts';

const withoutBook = (url: URL): string => {
  const copy = new URL(url);
  copy.searchParams.delete(BOOK);
  copy.hash = '';
  return copy.href;
};

/** Opening or closing the booking dialog, or going to a section, loads nothing again. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs): boolean => {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args;
  if (currentUrl.href === nextUrl.href) return defaultShouldRevalidate;
  return withoutBook(currentUrl) !== withoutBook(nextUrl);
};
