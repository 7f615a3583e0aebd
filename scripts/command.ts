// What the commands for a person at a terminal share: how they begin, are interrupted and fail.
import { CannotFill } from '#server/catalog/editions/dump/refusal.ts';
import { NoDemoShop } from '#db/seed/generated-listings.ts';
import { CannotGrant } from '#server/moderation/operator.service.ts';
import { BackupError } from './database/backup.ts';
import { CannotImport } from './import/refusal.ts';
import { ConfigError, readConfig, type Config } from '#server/platform/config.ts';
import { codeOf } from '#server/platform/errors.ts';
import { isUnavailable } from '#server/platform/postgres/db.ts';
import { StartError } from '#server/platform/start-error.ts';

/** What was typed after the command does not make sense; `message` says what. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** Errors whose message is written for whoever typed the command. */
const EXPECTED = [CannotImport, CannotFill, NoDemoShop, CannotGrant, BackupError, ConfigError, StartError];

const INTERRUPTED_EXIT_CODE = 130;

/** A failure as a sentence; undefined for a defect of ours. */
const sentenceOf = (error: Error, usage: string): string | undefined => {
  if (error instanceof WrongUse || codeOf(error).startsWith('ERR_PARSE_ARGS')) return `${error.message}\n${usage}`;
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message;
  // 28: no such user or a wrong password, 3D: no such database
  if (isUnavailable(error) || /^(28|3D)/.test(codeOf(error)))
    return `The database cannot be used: ${error.message || codeOf(error)}`;
  return undefined;
};

/** Runs a command: one sentence and exit code 1 when it fails; Ctrl-C asks it to stop at the next good moment. */
export const runCommand = async (
  usage: string,
  work: (config: Config, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      interruption.abort();
      process.exitCode = INTERRUPTED_EXIT_CODE;
    });
  }
  try {
    await work(readConfig(process.env), interruption.signal);
  } catch (error) {
    console.error((error instanceof Error && sentenceOf(error, usage)) || error);
    process.exitCode = 1;
  }
};
