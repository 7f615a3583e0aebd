/** An import that cannot begin, or cannot go on; the message is a sentence for whoever started it. */
export class CannotImport extends Error {
  override readonly name = 'CannotImport';
}
