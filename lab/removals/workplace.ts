// A copy of the project in which features are taken out and tests are run, so that the project itself stays as it is.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nameOf, root, type NamedTest } from '#test/specification/document.ts';
import { applied, type Edit } from './removals.ts';
import { patternOfTemplate } from '#test/specification/titles.ts';

/** What is made anew or shared, and not copied. */
const LEFT_BEHIND = new Set(['node_modules', '.git', '.react-router', 'build', 'data']);

/** How long a run may take before it counts as broken; the first one has every named test. */
const RUN_LIMIT_MS = 1_800_000;

/** How long a test waits for what no longer comes, instead of the usual half a minute. */
const PATIENCE_MS = '8000';

/** Sources of the built pages. */
const OF_THE_WEB = /^(src\/(web|contract)\/|vite\.config\.ts|react-router\.config\.ts)/;

/** How tests meet the built pages. */
const MEETS_THE_WEB = /openShop\(|web: true/;

export interface TestResult {
  readonly file: string;
  readonly titles: readonly string[];
  readonly status: string;
  /** First lines of what went wrong, empty when it passed. */
  readonly said: string;
}

export interface RunResult {
  readonly results: readonly TestResult[];
  /** What the runner printed, for a person to look into. */
  readonly printed: string;
}

export interface Workplace {
  /** Runs the named tests with the edits made, the pages built from them where that matters, and undoes them. */
  run(tests: readonly NamedTest[], edits?: readonly Edit[]): Promise<RunResult>;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const ESCAPES = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'g');

/** The first lines of a failure, without colours and without the way through the code. */
const firstLines = (message: string): string =>
  message
    .replaceAll(ESCAPES, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, 6)
    .join('\n')
    .slice(0, 600);

/** A pattern that takes the named tests and no others. */
const patternFor = (tests: readonly NamedTest[]): string =>
  `^(${tests.map(({ titles }) => titles.map((title) => patternOfTemplate(title)).join('( >)? ')).join('|')})$`;

const resultsOf = (report: Report, folder: string): TestResult[] =>
  report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      file: path.relative(folder, name),
      titles: [...ancestorTitles.filter((one) => one !== ''), title],
      status,
      said: firstLines(failureMessages.join('\n')),
    })),
  );

/** Makes a copy of the project at `folder`, with its pages built, or one more of the copy at `like`. */
export const openWorkplace = async (
  folder: string,
  options: { readonly databaseUrl: string; readonly like?: string; readonly signal: AbortSignal },
): Promise<Workplace> => {
  const execute = async (args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; printed: string }> => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      signal: options.signal,
      timeout: RUN_LIMIT_MS,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, printed: printed.replaceAll(ESCAPES, '') };
  };

  const build = async (): Promise<void> => {
    const command = path.join(root, 'node_modules/@react-router/dev/bin.cjs');
    const { code, printed } = await execute([command, 'build'], {
      NODE_ENV: 'production',
      BUILD_PAGES_ONLY: '1',
    });
    if (code !== 0) throw new Error(`the pages could not be built\n${printed}`);
  };

  /** Puts the pages of the changed sources in the place of the good ones while `work` goes on. */
  const withOwnPages = async <T>(work: () => Promise<T>): Promise<T> => {
    const [pages, kept] = [path.join(folder, 'build'), path.join(folder, '.pages')];
    await rename(pages, kept);
    try {
      await build();
      return await work();
    } finally {
      await rm(pages, { recursive: true, force: true });
      await rename(kept, pages);
    }
  };

  const runTests = async (tests: readonly NamedTest[]): Promise<RunResult> => {
    const record = path.join(folder, '.record.json');
    await rm(record, { force: true });
    const files = [...new Set(tests.map(({ file }) => file))];
    const args = [
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${record}`,
      '-t',
      patternFor(tests),
      ...files,
    ];
    const { printed } = await execute([path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      NODE_ENV: 'test',
      TEST_DATABASE_URL: options.databaseUrl,
      TEST_PATIENCE_MS: PATIENCE_MS,
      TEST_SHOP_ENTRY: 'src/server/main.ts',
    });
    const report = await readFile(record, 'utf8').catch(() => '{"testResults":[]}');
    return { results: resultsOf(JSON.parse(report) as Report, folder), printed };
  };

  const usesPages = async (tests: readonly NamedTest[]): Promise<boolean> => {
    const sources = await Promise.all(tests.map(({ file }) => readFile(path.join(folder, file), 'utf8')));
    return sources.some((source) => MEETS_THE_WEB.test(source));
  };

  await mkdir(folder, { recursive: true });
  const source = options.like ?? root;
  await cp(source, folder, { recursive: true, filter: (from) => !LEFT_BEHIND.has(path.relative(source, from)) });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  if (options.like === undefined) await build();
  else await cp(path.join(options.like, 'build'), path.join(folder, 'build'), { recursive: true });

  return {
    run: async (tests, edits = []) => {
      const changed = edits.length === 0 ? new Map() : applied(edits, folder);
      try {
        for (const [file, { after }] of changed) await writeFile(path.join(folder, file), after);
        const inPages = edits.some(({ file }) => OF_THE_WEB.test(file)) && (await usesPages(tests));
        return inPages ? await withOwnPages(() => runTests(tests)) : await runTests(tests);
      } catch (error) {
        if (options.signal.aborted) throw error;
        return { results: [], printed: `${tests.map((test) => nameOf(test)).join(', ')}\n${(error as Error).message}` };
      } finally {
        for (const [file, { before }] of changed) await writeFile(path.join(folder, file), before);
      }
    },
  };
};
