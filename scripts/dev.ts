// npm run dev: the embedded database stays up while the server restarts at every change of its files; the web is
// reloaded in place by Vite, inside the server.
import { StartError } from '#server/platform/start-error.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { shareEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

const root = path.join(import.meta.dirname, '..');

const database = async (): Promise<EmbeddedPostgres | undefined> => {
  if (process.env['DATABASE_URL'] || process.env['DATABASE_URL_FILE']) return undefined;
  const dataDir = path.resolve(process.env['DATA_DIR'] || 'data');
  return shareEmbeddedPostgres({ dataDir, log: (line) => console.log(line) });
};

try {
  const starting = database();
  let child: ChildProcess | undefined;
  // Before the server is there, so that Ctrl-C never leaves one behind.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (child !== undefined) return void child.kill(name);
      void starting.then((server) => server?.stop()).finally(() => process.exit());
    });
  }
  const shared = await starting;
  for (const message of shared?.messages ?? []) console.log(message);
  child = spawn(
    process.execPath,
    ['--watch-path=src/server', '--watch-path=src/contract', '--watch-preserve-output', 'src/server/main.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        DOGEAR_DEV: '1',
        DEMO_ORDERS: process.env['DEMO_ORDERS'] ?? '1',
        DEMO_PHOTOS: process.env['DEMO_PHOTOS'] ?? '1',
        ...(shared && { DATABASE_URL: shared.appUrl, DATABASE_MIGRATE_URL: shared.url }),
      },
    },
  );
  child.once('exit', (code) => {
    void shared?.stop().then(() => process.exit(code ?? 0));
    if (shared === undefined) process.exit(code ?? 0);
  });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
