/** What is known of a book that somebody would like to be told of. */
export interface Wanted {
  readonly isbn?: string | undefined;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** In US dollars, as it is typed. */
  readonly max?: string | undefined;
  readonly near?: string | undefined;
}

/** Where a reader says that they look for a book; what is known of it is typed already. */
export const wantPath = (wanted: Wanted): string => {
  const query = new URLSearchParams({ new: '1' });
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined && value !== '') query.set(name, value);
  return `/dashboard/wants?${query.toString()}`;
};
