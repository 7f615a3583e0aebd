import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requireFits } from './plants/planted.ts';
import { PLANTS } from './plants/plants.ts';
import { planted, PLANTS_TO_TRY } from './plants/teeth.ts';

const root = path.join(import.meta.dirname, '../..');
/** Far more than it takes: a run ends by itself, and on a busy machine late. */
const RUN_LIMIT_MS = 240_000;
const LAST_LETTERS = 3_000;

test('the short proof, run as a person runs it, finds nothing', { timeout: RUN_LIMIT_MS }, async () => {
  const child = spawn(process.execPath, [path.join(root, 'lab/prove.ts'), '--short'], { cwd: root });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(child, 'close');
  // Its last lines say why not, and fit into what is kept of a log.
  expect(printed.slice(-LAST_LETTERS)).toMatch(/^PROVED: nothing was violated/m);
  expect(code).toBe(0);
});

test.each(PLANTS_TO_TRY)(
  'it has teeth: $name is found within three runs',
  { timeout: 3 * RUN_LIMIT_MS },
  async (plant) => {
    const rules = await planted(plant);
    expect(rules.some((rule) => plant.caughtBy.includes(rule))).toBe(true);
  },
);

test.each(PLANTS)('the code has not grown away from: $name', (plant) => {
  expect(plant.edits.length).toBeGreaterThan(0);
  expect(() => requireFits(plant)).not.toThrow();
});
