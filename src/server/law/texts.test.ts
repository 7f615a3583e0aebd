import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTexts } from './texts.ts';

const FEES = { feeBasisPoints: 290, feeCents: 30, commissionBasisPoints: 500 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dogear-texts-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the shop has its own texts, which say who keeps what of a sale', async () => {
  const { shown } = await openTexts(undefined, FEES);
  const terms = JSON.stringify(shown.terms);
  expect(terms).toContain('Of each sale the payment provider keeps 2.9% + $0.30 and the shop keeps 5%');
  expect(terms).not.toContain('{{');
  for (const { version, blocks } of Object.values(shown)) {
    expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(blocks[0]?.kind).toBe('paragraph');
  }
});

test('an operator replaces one of them without a build; the others stay', async () => {
  const words =
    '## Who we are\n\nBooks & Sons, *Dublin*.\n\n- [write](mailto:a@b.example)\n- [no](javascript:alert(1)) <b>bold</b>';
  await writeFile(path.join(folder, 'imprint.md'), `Version: 7\n\n${words}\n`);
  const plain = (text: string) => ({ text, look: 'plain', href: '' });
  const { shown } = await openTexts(folder, FEES);
  expect(shown.imprint).toEqual({
    version: '7',
    blocks: [
      { kind: 'heading', lines: [[plain('Who we are')]] },
      { kind: 'paragraph', lines: [[plain('Books & Sons, '), { ...plain('Dublin'), look: 'emphasis' }, plain('.')]] },
      {
        kind: 'list',
        lines: [
          [{ ...plain('write'), href: 'mailto:a@b.example' }],
          [plain('no'), plain(' '), plain('<b>'), plain('bold'), plain('</b>')],
        ],
      },
    ],
  });
  expect(shown.privacy.blocks.length).toBeGreaterThan(2);
});

test('a text without its version is told in a sentence that names the file', async () => {
  await writeFile(path.join(folder, 'terms.md'), 'We sell books.\n');
  await expect(openTexts(folder, FEES)).rejects.toThrow(/terms\.md must begin with a line such as "Version: /);
});
