/** A filling of the table of editions that cannot begin, or cannot go on; the message is for whoever started it. */
export class CannotFill extends Error {
  override readonly name = 'CannotFill';
}
