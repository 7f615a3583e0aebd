/** The shop cannot start or a command cannot run; the message is written for whoever typed it. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
