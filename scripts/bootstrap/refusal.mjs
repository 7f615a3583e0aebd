/** Something in the way that whoever runs the script can do something about; its message is printed as it is. */
export class Refusal extends Error {}

const SENTENCES = {
  ENOSPC: 'There is no space left on the disk.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'The disk is read-only.',
};

const sentenceOf = (error) => {
  if (error instanceof Refusal) return error.message;
  const known = SENTENCES[error?.code];
  if (known) return known;
  if (error?.code === 'EACCES' || error?.code === 'EPERM') return `This user may not write to ${error.path}.`;
  return `Something unexpected went wrong (${error?.message ?? error}); DEBUG=1 shows where.`;
};

/** Prints why a script ends: a sentence, and with DEBUG=1 the stack. */
export const tell = (error) => {
  console.error(sentenceOf(error));
  if (process.env.DEBUG === '1') console.error(error);
};
