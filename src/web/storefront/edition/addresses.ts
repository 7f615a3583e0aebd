/** The page of an edition, by its 13 digits. */
export const editionPath = (isbn13: string): string => `/isbn/${isbn13}`;

/** The page of an author. */
export const authorPath = (slug: string): string => `/author/${encodeURIComponent(slug)}`;
