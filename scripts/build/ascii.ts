import type { Plugin } from 'vite';

const escaped = (letter: string): string =>
  letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Where an escape would say something else than the letter. */
const KEPT_AS_WRITTEN = /\\[\u0080-\u{10ffff}]|String\.raw`[^`]*[\u0080-\u{10ffff}]/u;

/**
 * Writes what the server runs with ASCII letters alone: V8 keeps a source with a single other one in two bytes a
 * letter, for as long as the process lives.
 */
export const asciiOnly = (): Plugin => ({
  name: 'ascii-only',
  applyToEnvironment: ({ name }) => name === 'ssr',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        if (KEPT_AS_WRITTEN.test(chunk.code))
          this.error(`${chunk.fileName}: a letter behind a backslash or in String.raw cannot be written in ASCII`);
        chunk.code = chunk.code.replaceAll(/[\u0080-\u{10ffff}]/gu, escaped);
      }
    },
  },
});
