import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { ConfigError, readConfig, type Config } from './platform/config.ts';
import { codeOf } from './platform/errors.ts';
import { isUnusable } from './platform/postgres/db.ts';
import { StartError } from './platform/start-error.ts';
import type { ShutdownMode } from './http-server.ts';
import { openShop } from './shop.ts';

/** One Ctrl-C arrives as up to three signals: from the terminal, from npm and from the bootstrap. */
const IMPATIENT_AFTER = 3;

const say = (line: string): void => console.log(line);

const greet = (config: Config): void => {
  say(`\nDogear is open at ${config.publicUrl}\n`);
  if (config.mode === 'production') return;
  for (const account of DEMO_ACCOUNTS) say(`  ${account.label.padEnd(7)} ${account.email}  ${account.password}`);
  if (config.stripe === undefined) say('\nPayments are a stand-in: no money moves, the card 4242 4242 4242 4242 pays.');
  if (config.social.google === undefined || config.social.github === undefined) {
    say('Google and Github are stand-ins where they are not set up: pick or type a test account.');
  }
  if (config.smtpUrl === undefined)
    say(`Mail is a stand-in: none leaves this machine, all of it is at ${config.publicUrl}/standins/mailbox`);
  say('Ctrl-C closes the shop.');
};

/** What is told instead of a stack trace; undefined for a defect of ours. */
const sentenceOf = (error: unknown, config: Config | undefined): string | undefined => {
  if (error instanceof ConfigError)
    return `The shop cannot open:\n${error.problems.map((line) => `  - ${line}`).join('\n')}`;
  if (error instanceof StartError) return error.message;
  if (codeOf(error) === 'EADDRINUSE')
    return `Port ${config?.port} is in use: close what uses it, or choose another (PORT=3001 npm start).`;
  if (codeOf(error) === 'EACCES') return `Port ${config?.port} may not be used by this user: choose one above 1023.`;
  if (config?.databaseUrl !== undefined && error instanceof Error && isUnusable(error)) {
    return `The database of DATABASE_URL cannot be used: ${error.message || codeOf(error)}`;
  }
  return undefined;
};

const main = async (): Promise<void> => {
  let config: Config | undefined;
  try {
    config = readConfig(process.env);
    const opening = openShop(config, say);
    let signals = 0;
    const close = async (mode: ShutdownMode): Promise<void> => {
      signals += 1;
      // Ctrl-C reaches us from the terminal and again from npm; somebody who presses it once more does not want to
      // wait.
      if (signals > IMPATIENT_AFTER) void opening.then((shop) => shop.hurry());
      await opening.then((shop) => shop.close(mode)).catch(() => {});
      process.exit(0);
    };
    // Before anything is open, so that a signal while starting leaves nothing behind.
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void close('quick'));
    process.on('SIGTERM', () => void close('patient'));
    const shop = await opening;
    process.on('SIGUSR2', () => {
      void shop.reload?.().then(() => say('All workers were replaced.'), console.error);
    });
    try {
      await shop.listen();
    } catch (error) {
      await shop.close();
      throw error;
    }
    greet(config);
  } catch (error) {
    const sentence = sentenceOf(error, config);
    console.error(sentence ?? error);
    process.exit(1);
  }
};

await main();
