/** The page of one copy. */
export const bookPath = (id: string): string => `/book/${id}`;

/** How long a copy has been in use, in words. */
export const yearsOfUse = (years: number): string => {
  if (years === 0) return 'Never used';
  return years === 1 ? '1 year of use' : `${years} years of use`;
};

/** The day a copy was listed, the same wherever it is rendered. */
export const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
