import { StartError } from '#server/platform/start-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only disk',
  ENOTDIR: 'a part of that path is a file',
  EEXIST: 'there is a file in its place',
};

/** Runs `work` on the folder or file at `where`; what the file system refuses becomes one sentence. */
export const onDisk = <T>(where: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new StartError(`The database cannot be kept in ${where}: ${reason}.`, { cause: error });
  }
};

/** The sentence for a tool of PostgreSQL that failed: its own reason, without its prefixes. */
export const reasonIn = (output: string): string => {
  const lines = output.split('\n').map((line) => line.trim());
  const line = lines.find((text) => /(FATAL|PANIC|error|could not)/.test(text)) ?? lines.find((text) => text !== '');
  return (line ?? 'it gave no reason').replace(/^.*?(FATAL|PANIC|error):\s*/, '');
};
