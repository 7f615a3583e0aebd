import type { Readable } from 'node:stream';

/** A file to keep whose name and type are known only once it is made. */
export class NamedFile {
  readonly name: string;
  readonly type: string;
  /** Its text, or what is read while it is sent. */
  readonly text: string | Readable;

  constructor(name: string, type: string, text: string | Readable) {
    this.name = name;
    this.type = type;
    this.text = text;
  }
}
