/** The longest title of a listing, in characters: what the trade's files have. */
export const MAX_TITLE_LENGTH = 750;
