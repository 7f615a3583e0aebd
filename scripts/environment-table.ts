// Writes the table of variables in docs/operating.md: node scripts/environment-table.ts
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { variables } from '#server/platform/environment.ts';

const FILE = path.join(import.meta.dirname, '../docs/operating.md');
const TABLE = /(?<=<!-- variables: [^\n]*-->\n\n)[\s\S]*?(?=\n\n<!-- end of variables -->)/;

const defaultOf = (fallback: unknown, unset = ''): string =>
  fallback === undefined ? unset : `\`${String(fallback)}\``;

/** docs/operating.md with the table of all variables as the configuration knows them. */
export const withVariables = async (document: string): Promise<string> => {
  const rows = variables().map(([name, { default: fallback, unset, needed, description }]) => {
    const mark = needed === undefined ? '' : ' ●';
    return `| \`${name}\`${mark} | ${defaultOf(fallback, unset)} | ${description} |`;
  });
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return formatMarkdown(document.replace(TABLE, () => table));
};

if (import.meta.main) writeFileSync(FILE, await withVariables(readFileSync(FILE, 'utf8')));
