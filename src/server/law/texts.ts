import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ShopTexts } from '#contract/law/texts.ts';
import { feeWords, type SaleTerms } from '#contract/money/shares.ts';
import { StartError } from '#server/platform/start-error.ts';
import { blocksOf } from './blocks.ts';

/** A text as it is written, and which wording it is. */
export interface Wording {
  readonly version: string;
  readonly words: string;
}

type Name = keyof ShopTexts;

const VERSION = /^Version: *(\S{1,40})\r?\n/;

const wordingOf = (text: string, file: string): Wording => {
  const [first, version] = VERSION.exec(text) ?? [];
  if (first === undefined || version === undefined)
    throw new StartError(`${file} must begin with a line such as "Version: 2026-11-26".`);
  return { version, words: text.slice(first.length).trim() };
};

/** The folder of the project's own texts. */
const OWN = path.join(import.meta.dirname, '../../../texts');

const read = async (folder: string, name: Name): Promise<Wording | undefined> => {
  const file = path.join(folder, `${name}.md`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartError(`${file} cannot be read (${error.code ?? 'unreadable'}).`);
  });
  return text === undefined ? undefined : wordingOf(text, file);
};

export interface Texts {
  readonly shown: ShopTexts;
  readonly terms: Wording;
}

/**
 * The shop's texts: those of the operator's folder, and of the project where it has none. `{{fees}}` in them is who
 * keeps what of a sale. Throws a `StartError` that names the file that cannot be used.
 */
export const openTexts = async (folder: string | undefined, terms: SaleTerms): Promise<Texts> => {
  const fees = feeWords(terms);
  const said = fees === undefined ? 'All of it is the seller’s.' : `Of each sale ${fees}; the rest is the seller’s.`;
  const wordingOfName = async (name: Name): Promise<Wording> => {
    const wording = (folder === undefined ? undefined : await read(folder, name)) ?? (await read(OWN, name));
    if (wording === undefined) throw new StartError(`${path.join(OWN, `${name}.md`)} is missing.`);
    return wording;
  };
  const shown = ({ version, words }: Wording) => ({ version, blocks: blocksOf(words.replaceAll('{{fees}}', said)) });
  const [inForce, privacy, withdrawal, imprint] = await Promise.all([
    wordingOfName('terms'),
    wordingOfName('privacy'),
    wordingOfName('withdrawal'),
    wordingOfName('imprint'),
  ]);
  return {
    shown: {
      terms: shown(inForce),
      privacy: shown(privacy),
      withdrawal: shown(withdrawal),
      imprint: shown(imprint),
    },
    terms: inForce,
  };
};
