/** A file to keep whose name and type are known only once it is made. */
export class NamedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;

  constructor(name: string, type: string, text: string) {
    this.name = name;
    this.type = type;
    this.text = text;
  }
}
