/** Letters that are no others with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A name as places are compared: without case, marks and punctuation. "Washington, D.C." is "washington dc". */
export const placeKey = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’‘ʼ`´]|\.(?=\S)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
