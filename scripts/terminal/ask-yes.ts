import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks at a terminal; anything but yes is no, Ctrl-C and Ctrl-D included. */
export const askYes = async (
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<boolean> => {
  const dialogue = createInterface({ input, output });
  dialogue.once('SIGINT', () => dialogue.close());
  const closed = once(dialogue, 'close').then(() => '');
  const answer = await Promise.race([dialogue.question(question), closed]);
  dialogue.close();
  return /^y(es)?$/i.test(answer.trim());
};
