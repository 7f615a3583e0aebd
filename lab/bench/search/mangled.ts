// What people mistype, made by rule from a title, an author or both: nothing of a catalogue is copied here.

/** Whether a rule finds something in a text to mistype; the chance of a seed chooses where. */
export type Mangle = (meant: string, random: () => number) => string | undefined;

const oneOf = <T>(all: readonly T[], random: () => number): T | undefined => all[Math.floor(random() * all.length)];

/**
 * One slip of the finger inside a word of five letters or more: a letter left out, doubled, swapped with the next, or
 * another.
 */
export const slip: Mangle = (meant, random) => {
  const words = meant.split(' ');
  const long = [...words.keys()].filter((place) => (words[place]?.length ?? 0) >= 5);
  const place = oneOf(long, random);
  const word = place === undefined ? undefined : words[place];
  if (place === undefined || word === undefined) return undefined;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = word[at] ?? '';
  const other = String.fromCharCode(97 + Math.floor(random() * 26));
  const slips = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + (word[at + 1] ?? '') + letter + word.slice(at + 2),
    word.slice(0, at) + other + word.slice(at + 1),
  ];
  const slipped = oneOf(slips, random) ?? word;
  return slipped === word ? undefined : words.with(place, slipped).join(' ');
};

/** Two slips in different words. */
export const twoSlips: Mangle = (meant, random) => {
  const once = slip(meant, random);
  const twice = once === undefined ? undefined : slip(once, random);
  if (twice === undefined) return undefined;
  const words = meant.split(' ');
  return twice.split(' ').filter((word, at) => word !== words[at]).length === 2 ? twice : undefined;
};

/** What is written otherwise and sounds the same. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ph/, 'f'],
  [/ie/, 'ei'],
  [/ei/, 'ie'],
  [/ck/, 'k'],
  [/([bdfglmnprst])\1/, '$1'],
  [/(?<=[aeiou])([lmnrst])(?=[aeiou])/, '$1$1'],
  [/c(?=[eiy])/, 's'],
  [/c(?=[aou])/, 'k'],
  [/ey\b/, 'y'],
  [/y\b/, 'ie'],
  [/ea/, 'ee'],
  [/ai/, 'ay'],
  [/ou/, 'ow'],
  [/(?<=\w{3})er\b/, 'or'],
  [/(?<=\w{3})en\b/, 'in'],
  [/(?<=\w{3})an\b/, 'en'],
  [/kn/, 'n'],
  [/wh/, 'w'],
  [/gh(?=t)/, ''],
  [/x/, 'ks'],
];

export const bySound: Mangle = (meant, random) => {
  const possible = SOUNDS.flatMap(([pattern, other]) => {
    const mangled = meant
      .split(' ')
      .flatMap((word, place, words) =>
        word.length >= 5 && pattern.test(word) ? [words.with(place, word.replace(pattern, other)).join(' ')] : [],
      );
    return mangled;
  });
  return oneOf(possible, random);
};

/** A space too few, or too many in a long word. */
export const bySpace: Mangle = (meant, random) => {
  const words = meant.split(' ');
  if (words.length > 1 && random() < 0.6) {
    const at = Math.floor(random() * (words.length - 1));
    return words.toSpliced(at, 2, `${words[at]}${words[at + 1]}`).join(' ');
  }
  const long = [...words.keys()].filter((place) => (words[place]?.length ?? 0) >= 7);
  const place = oneOf(long, random);
  const word = place === undefined ? undefined : words[place];
  if (place === undefined || word === undefined) return undefined;
  const at = 3 + Math.floor(random() * (word.length - 5));
  return words.toSpliced(place, 1, word.slice(0, at), word.slice(at)).join(' ');
};

/** How names out of other alphabets are written elsewhere. */
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/sky\b/, 'skij'],
  [/sky\b/, 'ski'],
  [/skii?\b/, 'sky'],
  [/tch/, 'ch'],
  [/(?<!t|s)ch/, 'tch'],
  [/kh/, 'h'],
  [/zh/, 'j'],
  [/v\b/, 'ff'],
  [/ov\b/, 'off'],
  [/w/, 'v'],
  [/ya/, 'ia'],
  [/yu/, 'iu'],
  [/oy\b/, 'oi'],
  [/ei\b/, 'ey'],
  [/ck/, 'k'],
  [/\bj/, 'y'],
  [/sh/, 'sch'],
  [/ts/, 'tz'],
  [/k/, 'c'],
];

/** A name as somebody writes it who heard it: spelt as elsewhere, the surname first, initials apart. */
export const byName: Mangle = (author, random) => {
  const words = author.split(' ');
  const surname = words.at(-1) ?? '';
  if (words.length < 2 || surname.length < 4) return undefined;
  const initials = words[0] ?? '';
  const possible = [
    ...ALPHABETS.filter(([pattern]) => pattern.test(surname)).map(([pattern, other]) =>
      words.with(-1, surname.replace(pattern, other)).join(' '),
    ),
    `${slip(surname, random) ?? surname}, ${words.slice(0, -1).join(' ')}`,
    ...(/^[a-z]{2,3}$/.test(initials) && !/[aeiou]/.test(initials)
      ? [words.with(0, [...initials].join(' ')).join(' '), words.with(0, [...initials].join('. ')).join(' ')]
      : []),
  ];
  const mangled = oneOf(possible, random);
  return mangled === undefined || mangled === author ? undefined : mangled;
};
