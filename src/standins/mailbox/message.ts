import PostalMime, { type Address } from 'postal-mime';

/** A mail as people read it. */
export interface Message {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  readonly text: string;
  /** '' when the mail is plain text only. */
  readonly html: string;
  /** Where a mail program ends such mails with one click (RFC 8058); '' where it offers none. */
  readonly unsubscribe: string;
}

/** Without the line break that ends every part. */
const body = (text: string): string => text.replace(/\n$/, '');

const written = ({ name, address = '' }: Address): string => (name === '' ? address : `${name} <${address}>`);

/** Reads a mail in the form it travels in (RFC 5322 with MIME). Attachments are left out. */
export const readMessage = async (raw: Buffer): Promise<Message> => {
  const { subject = '', from, to = [], messageId = '', text = '', html = '', headers } = await PostalMime.parse(raw);
  const header = (key: string): string => headers.find((each) => each.key === key)?.value ?? '';
  const isOneClick = header('list-unsubscribe-post') === 'List-Unsubscribe=One-Click';
  return {
    subject,
    from: from === undefined ? '' : written(from),
    to: to.map(written).join(', '),
    messageId,
    text: body(text),
    html: body(html),
    unsubscribe: isOneClick ? (/<(https?:[^>]+)>/.exec(header('list-unsubscribe'))?.[1] ?? '') : '',
  };
};
