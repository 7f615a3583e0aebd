/** A mail as people read it. */
export interface Message {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  readonly text: string;
  /** '' when the mail is plain text only. */
  readonly html: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

// Mail is read as latin1, one character a byte, until a part says what its bytes mean.
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

const decoded = (bytes: Buffer, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
};

const unescaped = (text: string): Buffer =>
  bytesOf(text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));

/** Bytes of quoted-printable text (RFC 2045, 6.7): white space at the end of a line and soft line breaks are none. */
const quotedPrintable = (text: string): Buffer => unescaped(text.replace(/[ \t]+$/gm, '').replace(/=\r?\n/g, ''));

const ENCODED_WORD = /=\?([^?*]+)(?:\*[^?]*)?\?([QB])\?([^?]*)\?=/gi;

/** The text of a header with encoded words (RFC 2047). */
const headerText = (raw: string): string =>
  decoded(bytesOf(raw), 'utf-8')
    // White space between two encoded words is none.
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(ENCODED_WORD, (_, charset: string, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? decoded(Buffer.from(text, 'base64'), charset)
        : decoded(unescaped(text.replaceAll('_', ' ')), charset),
    );

const partOf = (raw: string): Part => {
  const gap = /\r?\n\r?\n/.exec(raw);
  const head = gap === null ? raw : raw.slice(0, gap.index);
  const body = gap === null ? '' : raw.slice(gap.index + gap[0].length);
  const headers = new Map<string, string>();
  // A line that begins with white space goes on with the one before.
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body };
};

const parameter = (header: string, name: string): string => {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header);
  return found?.[1] ?? found?.[2] ?? '';
};

/** All parts that hold no other parts, in order. */
const leavesOf = (part: Part): Part[] => {
  const type = part.headers.get('content-type') ?? 'text/plain';
  const boundary = parameter(type, 'boundary');
  if (!/^multipart\//i.test(type) || boundary === '') return [part];
  const pieces = `\r\n${part.body}`.split(`\n--${boundary}`).slice(1);
  // The piece behind the closing delimiter begins with its `--`.
  const inside = pieces.filter((piece) => !piece.startsWith('--'));
  return inside.flatMap((piece) => leavesOf(partOf(piece.replace(/^[^\n]*\n/, '').replace(/\r?$/, ''))));
};

const contentOf = (part: Part): string => {
  const charset = parameter(part.headers.get('content-type') ?? '', 'charset') || 'utf-8';
  const encoding = (part.headers.get('content-transfer-encoding') ?? '7bit').toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(part.body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(part.body)
        : bytesOf(part.body);
  return decoded(bytes, charset).replaceAll('\r\n', '\n');
};

/** Reads a mail in the form it travels in (RFC 5322 with MIME). Attachments are left out. */
export const readMessage = (raw: Buffer): Message => {
  const whole = partOf(raw.toString('latin1'));
  const leaves = leavesOf(whole);
  const content = (type: string): string => {
    const part = leaves.find(({ headers }) =>
      (headers.get('content-type') ?? 'text/plain').toLowerCase().startsWith(type),
    );
    return part === undefined ? '' : contentOf(part);
  };
  const header = (name: string): string => headerText(whole.headers.get(name) ?? '');
  return {
    subject: header('subject'),
    from: header('from'),
    to: header('to'),
    messageId: header('message-id'),
    text: content('text/plain'),
    html: content('text/html'),
  };
};
