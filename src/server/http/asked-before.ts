/** Places; each is four bytes. More than as many addresses as are kept at once. */
const PLACES = 1 << 15;

/** FNV-1a over the text's code units: quick, and alike for the same text. */
const numberOf = (text: string): number => {
  let number = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    number = Math.imul(number ^ text.charCodeAt(place), 0x01000193);
  }
  return number >>> 0;
};

/**
 * Remembers what was asked for lately, in a fixed number of bytes: answers whether `key` was, and notes it. Now and then it
 * has forgotten one, since two may have the same place; it takes one for another as good as never.
 */
export const createAskedBefore = (): ((key: string) => boolean) => {
  const places = new Uint32Array(PLACES);
  return (key) => {
    const number = numberOf(key);
    const place = number & (PLACES - 1);
    const isKnown = places[place] === number;
    places[place] = number;
    return isKnown;
  };
};
