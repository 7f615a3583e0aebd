import type { MetaDescriptor } from 'react-router';

/** Title and description of a page, as search engines and browser tabs show them. */
export const pageMeta = (title: string, description?: string): MetaDescriptor[] => [
  { title: `${title} · Dogear` },
  ...(description === undefined ? [] : [{ name: 'description', content: description }]),
];
