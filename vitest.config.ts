import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longer counts of generated cases, races and data sizes (npm test -- --long) need longer limits. */
const long = process.env['DOGEAR_TEST_LONG'] === '1';

/** How long a test waits for something to come true; on a busy machine things take their time. */
const patience = Number(process.env['TEST_PATIENCE_MS'] ?? 30_000);
const poll = { timeout: patience, interval: 20 };

/** A test, or a hook, has the time to wait twice: a machine that is waited for longer gets longer limits as well. */
const limit = Math.max(60_000, patience * 2);
const journeyLimit = limit * 2;

/**
 * `npm test` keeps to what a shop must never lose and a change is likeliest to break, in under five minutes; `npm test
 * -- --long` and CI run everything, and so does Vitest when it is asked for files by their names.
 */
const short = process.env['DOGEAR_TEST_SHORT'] === '1';

/** Journeys of the short run: from finding a book to its payment, what an admin does about it, and every page once. */
const JOURNEYS = ['account-types', 'book', 'buying', 'hydration', 'money', 'pages', 'selling'];

/**
 * Not in the short run: what starts databases, shops and commands or kills them, fills tables to see plans, or asks and
 * waits until a limit is met.
 */
const SLOW = [
  'db/seed/**/*',
  'scripts/*',
  'scripts/database/*',
  'src/server/catalog/listings/heap-only',
  'src/server/catalog/listings/plans',
  'src/server/catalog/photos/making/maker',
  'src/server/catalog/photos/strays/killed',
  'src/server/jobs',
  'src/server/mail/delivery',
  'src/server/payments/payouts/killed',
  'src/server/platform/demo/*',
  'src/server/platform/postgres/connections',
  'src/server/platform/postgres/migrate',
  'src/server/platform/postgres/pipeline',
  'src/server/platform/postgres/replicas',
  'test/hostile/fuzz',
  'test/hostile/limits',
  'test/main',
  'test/traces',
  'test/workers',
];

/** Drills for the long run only; the restart and the backup are drilled each time. */
const DRILLS_ONLY_LONG = ['outage', 'overload', 'migration'];

/** What takes longest and mostly waits for other processes: begun first, so that no core waits for it at the end. */
const FIRST = [
  'lab/proofs/prove.test.ts',
  'lab/drills/outage.test.ts',
  'src/server/platform/demo/embedded-postgres.test.ts',
  'test/workers.test.ts',
  'lab/drills/restart.test.ts',
  'scripts/import.test.ts',
  'src/server/platform/demo/places.test.ts',
  // In several looks and 400 steps, where the run is long.
  'test/e2e/pages.e2e.ts',
  'test/e2e/kept-answers.e2e.ts',
  'test/e2e/failing-calls.e2e.ts',
  'test/e2e/nothing-lost.e2e.ts',
  'test/e2e/coming-back.e2e.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = FIRST.findIndex((name) => moduleId.endsWith(`/${name}`));
      // A thousand stories take a while.
      const after = long && moduleId.endsWith('.model.test.ts') ? 0 : 1;
      return place < 0 ? FIRST.length + after : place;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * A file that opens whole shops and databases keeps two cores busy by itself: two at once took as long on two cores as
 * one after the other, and every wait in them was twice as long.
 */
const heavyWorkers = Math.max(1, Math.floor(availableParallelism() / 2));

/** A journey waits for its browser and its shop in turn: two at once take three quarters of the time. */
const journeyWorkers = Math.max(Math.min(2, availableParallelism()), heavyWorkers);

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // They often wait for the database: on two cores two at once took 303 s, three 242, four a tenth less than three.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        test: {
          name: 'node',
          include: ['src/**/*.test.ts', 'db/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: short ? SLOW.map((name) => `${name}.test.ts`) : [],
          globalSetup: ['test/database.ts'],
          setupFiles: ['test/generated-cases.ts'],
          // Each process loads the shop once and not for every file: half of the time went there. What a file changes
          // outside of itself (process.env, timers) it must put back.
          isolate: false,
          expect: { poll },
          testTimeout: long ? 300_000 : limit,
          hookTimeout: limit,
        },
      },
      {
        test: {
          name: 'lab',
          maxWorkers: heavyWorkers,
          include: ['lab/**/*.test.ts'],
          exclude: long ? [] : DRILLS_ONLY_LONG.map((name) => `lab/drills/${name}.test.ts`),
          globalSetup: ['test/database.ts'],
          setupFiles: ['test/generated-cases.ts'],
          isolate: false,
          expect: { poll },
          testTimeout: long ? 300_000 : limit,
          hookTimeout: limit,
        },
      },
      {
        test: {
          name: 'e2e',
          maxWorkers: journeyWorkers,
          include: (short ? JOURNEYS : ['**/*']).map((name) => `test/e2e/${name}.e2e.ts`),
          globalSetup: ['test/database.ts', 'test/e2e/browser.ts'],
          setupFiles: ['test/generated-cases.ts'],
          isolate: false,
          expect: { poll },
          testTimeout: long ? 600_000 : journeyLimit,
          hookTimeout: journeyLimit,
        },
      },
    ],
  },
});
