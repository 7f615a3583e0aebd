// npm run bench:photos -w lab: what visitors wait for while a seller's 20 photos are made; writes lab/docs/photos.md.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { openDemoShop } from './demo-shop.ts';
import { picturesOf, PICTURES, type PictureKind } from './photos/pictures.ts';
import { measureRound, type Round } from './photos/round.ts';

const PAGE = path.join(import.meta.dirname, '../docs/photos.md');
const BAR = 1.5;
const COUNT = 20;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '4' } } });
const rounds = Number(values.rounds);
// Each round of each kind uploads 20 photos, of 200 that a seller may send in a day.
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 5) throw new Error('Say 1 to 5 rounds.');

const medianOf = (all: readonly number[]): number => {
  const sorted = all.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
};

interface Measured {
  readonly kind: PictureKind;
  readonly megabytes: number;
  readonly rounds: readonly Round[];
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const rowOf = ({ kind, megabytes, rounds: all }: Measured): string => {
  const of = (figure: (round: Round) => number): number => medianOf(all.map(figure));
  const ratios = all.map(({ before, during }) => during.p99 / before.p99);
  const span = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const peak = Math.max(...all.map(({ makerPeak }) => makerPeak));
  const p99s = [of(({ before }) => before.p99).toFixed(1), of(({ during }) => during.p99).toFixed(1)];
  const p50s = [of(({ before }) => before.p50).toFixed(1), of(({ during }) => during.p50).toFixed(1)];
  const visits = [of(({ before }) => before.count).toFixed(0), of(({ during }) => during.count).toFixed(0)];
  return row([
    PICTURES[kind].says,
    megabytes.toFixed(1),
    visits.join(' / '),
    p50s.join(' / '),
    p99s.join(' / '),
    medianOf(ratios).toFixed(2),
    span,
    (of(({ uploadMs }) => uploadMs) / 1_000).toFixed(1),
    peak === 0 ? 'not told' : peak.toFixed(0),
  ]);
};

const pageOf = (all: readonly Measured[], load: readonly number[]): string => {
  const loads = load.map((one) => one.toFixed(1));
  return `# Photos beside browsing

\`npm run bench:photos -w lab\` opens a demo shop as \`npm start\` does and has visitors read its landing page, a category,
a book and a search, one after the other with a short pause, while a seller sends ${COUNT} pictures of 12 megapixels at
once. Each round measures browsing alone first, then beside the photos until the last of them is there; the p99 of the
second is divided by that of the first, and the median of ${rounds} rounds is to be at most ${BAR}. Memory is the most
that the process that decodes the pictures had. It writes this page.

${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), load average before ${loads[0]}, after ${loads[1]} (visitors, seller and shop
on the same cores):

${row(['pictures', 'MB each', 'visits before / during', 'p50 ms', 'p99 ms', 'p99 ratio', 'ratios', 'all there after s', 'most MB'])}
${row(Array.from({ length: 9 }, () => '---'))}
${all.map(rowOf).join('\n')}
`;
};

const loadNow = (): number => loadavg()[0] ?? 0;
const before = loadNow();
const shop = await openDemoShop();
const measured: Measured[] = [];
try {
  for (const kind of ['shrunk', 'full'] as const) {
    const all: Round[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const pictures = await picturesOf(kind, COUNT);
      bytes += pictures.reduce((sum, picture) => sum + picture.length, 0);
      const one = await measureRound(shop, pictures);
      all.push(one);
      const ratio = (one.during.p99 / one.before.p99).toFixed(2);
      console.log(`${kind}: p99 ${one.before.p99.toFixed(1)} → ${one.during.p99.toFixed(1)} ms (${ratio})`);
    }
    measured.push({ kind, megabytes: bytes / COUNT / rounds / 1_000_000, rounds: all });
  }
} finally {
  await shop.close();
}
const page = await formatMarkdown(pageOf(measured, [before, loadNow()]));
await writeFile(PAGE, page);
console.log(page);
const isHeld = measured.every(
  ({ rounds: all }) => medianOf(all.map((round) => round.during.p99 / round.before.p99)) <= BAR,
);
console.log(isHeld ? 'The bar is held.' : 'The bar is not held.');
process.exitCode = isHeld ? 0 : 1;
