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
}

/** Without the line break that ends every part. */
const body = (text: string): string => text.replace(/\n$/, '');

const written = ({ name, address = '' }: Address): string => (name === '' ? address : `${name} <${address}>`);

/** Reads a mail in the form it travels in (RFC 5322 with MIME). Attachments are left out. */
export const readMessage = async (raw: Buffer): Promise<Message> => {
  const { subject = '', from, to = [], messageId = '', text = '', html = '' } = await PostalMime.parse(raw);
  return {
    subject,
    from: from === undefined ? '' : written(from),
    to: to.map(written).join(', '),
    messageId,
    text: body(text),
    html: body(html),
  };
};
