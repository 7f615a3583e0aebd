/** Text as one line: control characters and line breaks become spaces, runs of spaces one, none at the ends. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether there is anything to see in `text`: spaces and zero-width characters alone are nothing. */
export const isVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** Names in a sentence: `A, B and C`. */
export const inSentence = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
