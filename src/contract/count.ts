// Made once: `toLocaleString` looks the language up for each number.
const COUNT = new Intl.NumberFormat('en-US');

/** A number of things as users read it: `12,345`. */
export const formatCount = (count: number): string => COUNT.format(count);
