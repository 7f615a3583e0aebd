/** How a book is bound, in the trade's words; `''` where nobody says. */
export const BINDINGS = [
  'hardcover',
  'paperback',
  'mass market',
  'leather',
  'library binding',
  'spiral',
  'board book',
  'audio',
  'other',
] as const;
export type Binding = (typeof BINDINGS)[number] | '';

/** What sources write, the particular before the general: a "mass market paperback" is one, a "board book" no board. */
const WORDS: readonly (readonly [RegExp, Binding])[] = [
  [/audio|cassette|\bcds?\b|mp3|hörbuch/, 'audio'],
  [/board ?book|pappbilderbuch/, 'board book'],
  [/library binding|turtleback|school & library/, 'library binding'],
  [/mass[ -]?market|pocket book/, 'mass market'],
  [/leather|leder|cuir/, 'leather'],
  [/spiral|ring[ -]bound|comb[ -]bound|plastic comb/, 'spiral'],
  [/paper ?back|softcover|soft cover|\bwraps?\b|\bpb\b|\btrade\b|broch|taschenbuch|kartoniert/, 'paperback'],
  [/hard ?(cover|back)|hard-cover|\bcloth\b|\bboards?\b|\bh[cb]\b|reli[ée]|gebunden/, 'hardcover'],
];

/** Reads what a source writes of a binding; an e-book and whatever else is none of these is `other`. */
export const bindingOf = (text: string): Binding => {
  const said = text.normalize('NFC').toLowerCase().trim();
  if (/^(unknown( binding)?|unbound)?$/.test(said)) return '';
  return WORDS.find(([words]) => words.test(said))?.[1] ?? 'other';
};
