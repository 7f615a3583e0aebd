// One run of Lighthouse as numbers. Lighthouse is no dependency: LIGHTHOUSE_PATH says where it is, or npm fetches it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The version the bars are held against; another one may weigh differently. */
export const LIGHTHOUSE_VERSION = '13.5.0';

/** What one run found. Scores are 0 to 100, times milliseconds, sizes kB as sent. */
export interface Measured {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly seo: number;
  readonly cls: number;
  readonly lcpMs: number;
  readonly tbtMs: number;
  readonly scriptKb: number;
  readonly thirdParty: number;
  /** The audits that cost points outside of performance. */
  readonly failures: readonly string[];
}

interface NetworkRequest {
  readonly url: string;
  readonly resourceType?: string;
  readonly transferSize?: number;
}

interface Report {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Record<
    string,
    { readonly score: number | null; readonly auditRefs: readonly { id: string; weight: number }[] }
  >;
  readonly audits: Record<
    string,
    { title: string; score: number | null; numericValue?: number; details?: { items?: readonly NetworkRequest[] } }
  >;
}

const commandOf = (): [string, string[]] => {
  const own = process.env['LIGHTHOUSE_PATH'];
  if (own !== undefined && own !== '') return [process.execPath, [own]];
  return ['npm', ['exec', '--yes', `lighthouse@${LIGHTHOUSE_VERSION}`, '--']];
};

const runLighthouse = async (url: string): Promise<Report> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-lighthouse-'));
  const file = path.join(folder, 'report.json');
  const [command, before] = commandOf();
  // Root has no sandbox; everywhere else the browser keeps its own.
  const flags = [
    '--headless=new',
    '--disable-background-networking',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  const browser = process.env['CHROMIUM_PATH'];
  const child = spawn(
    command,
    [...before, url, '--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${flags.join(' ')}`],
    { cwd: folder, env: { ...process.env, ...(browser !== undefined && { CHROME_PATH: browser }) } },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  child.once('error', (error) => (printed += error.message));
  await once(child, 'close');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } catch {
    throw new Error(`Lighthouse could not be run (LIGHTHOUSE_PATH says where its cli/index.js is):\n${printed}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const scoreOf = (report: Report, category: string): number =>
  Math.round((report.categories[category]?.score ?? 0) * 100);

const failuresOf = (report: Report): string[] =>
  ['accessibility', 'best-practices', 'seo'].flatMap((category) =>
    (report.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${category}: ${report.audits[id]?.title ?? id}`),
  );

/** On a busy machine the browser sometimes misses its own beginning; Lighthouse then asks to be run again. */
const ATTEMPTS = 3;

const completeReport = async (url: string): Promise<Report> => {
  for (let attempt = 1; ; attempt += 1) {
    const report = await runLighthouse(url);
    if (report.runtimeError === undefined) return report;
    if (attempt === ATTEMPTS) throw new Error(report.runtimeError.message);
  }
};

/** Measures `url` once as a phone on a slow network, Lighthouse's own standard. */
export const measure = async (url: string): Promise<Measured> => {
  const report = await completeReport(url);
  const numberOf = (audit: string): number => report.audits[audit]?.numericValue ?? Number.NaN;
  const requests = report.audits['network-requests']?.details?.items ?? [];
  const scriptBytes = requests
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + (transferSize ?? 0), 0);
  const { origin } = new URL(url);
  return {
    performance: scoreOf(report, 'performance'),
    accessibility: scoreOf(report, 'accessibility'),
    bestPractices: scoreOf(report, 'best-practices'),
    seo: scoreOf(report, 'seo'),
    cls: numberOf('cumulative-layout-shift'),
    lcpMs: numberOf('largest-contentful-paint'),
    tbtMs: numberOf('total-blocking-time'),
    scriptKb: scriptBytes / 1000,
    thirdParty: requests.filter((request) => /^https?:/.test(request.url) && new URL(request.url).origin !== origin)
      .length,
    failures: failuresOf(report),
  };
};
