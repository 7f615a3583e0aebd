// npm run db: owns the embedded database alone, for several apps that share it through its DATABASE_URL.
import { StartError } from '#server/platform/start-error.ts';
import path from 'node:path';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

const dataDir = path.resolve(process.env['DATA_DIR'] || 'data');
const say = (line: string): void => console.log(line);

try {
  const starting = startEmbeddedPostgres({ dataDir, log: say });
  const stop = async (): Promise<void> => {
    await starting.then((server) => server.stop()).catch(() => {});
    process.exit();
  };
  // Before the server is there, so that Ctrl-C never leaves one behind.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void stop());
  const server = await starting;
  for (const message of server.messages) say(message);
  say(`PostgreSQL runs on ${server.dataDir}.`);
  say(`DATABASE_URL='${server.appUrl}'`);
  // The owner, who brings the tables up to date.
  say(`DATABASE_MIGRATE_URL='${server.url}'`);
  say('Ctrl-C stops it.');
  // The server runs in a process group of its own; this one lives as long as it is wanted.
  setInterval(() => {}, 2 ** 30);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
