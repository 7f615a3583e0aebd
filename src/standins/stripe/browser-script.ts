import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// In the order they need one another. Each is an ordinary module; together they make one classic script.
const PARTS = [
  'errors',
  'card-rules',
  'card-formats',
  'styles',
  'emitter',
  'card-fields',
  'card-looks',
  'card-element',
  'dialog',
  'wallet',
  'elements',
  'client',
  'challenge',
  'payments',
  'stripe',
];

/** A script ready to be served. */
export interface BrowserScript {
  body: string;
  etag: string;
}

let built: BrowserScript | undefined;

/**
 * The script that sets `window.Stripe`. A page loads it with a plain script tag, where `import` and `export` do not
 * exist: they are taken out, and all parts share one closed scope. So no two parts may use a top-level name twice.
 */
export function browserScript(): BrowserScript {
  if (built !== undefined) return built;
  const parts = PARTS.map((name) => {
    const source = readFileSync(new URL(`./browser/${name}.js`, import.meta.url), 'utf8');
    return source.replaceAll(/^import [^;]*;$/gm, '').replaceAll(/^export (?=(async )?(function|const|class) )/gm, '');
  });
  const body = `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
  built = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
  return built;
}
