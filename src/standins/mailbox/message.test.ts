import { describe, expect, test } from 'vitest';
import { readMessage, type Message } from './message.ts';

const read = (...lines: string[]): Promise<Message> => readMessage(Buffer.from(lines.join('\r\n'), 'utf8'));

describe('reading a mail', () => {
  test('takes headers apart, folded ones too, and undoes encoded words', async () => {
    const mail = await read(
      'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_an_?=',
      ' =?UTF-8?B?8J+Tmg==?= readers',
      'From: =?iso-8859-1?Q?B=F6?= <bo@example.com>',
      'to: ada@example.com',
      'Message-ID: <1@books.example>',
      '',
      'Hello: not a header',
    );
    expect(mail).toEqual({
      subject: 'Grüße an 📚 readers',
      from: 'Bö <bo@example.com>',
      to: 'ada@example.com',
      messageId: '<1@books.example>',
      unsubscribe: '',
      text: 'Hello: not a header',
      html: '',
    });
  });

  test('finds text and HTML among nested parts, and leaves attachments out', async () => {
    const mail = await read(
      'Content-Type: multipart/mixed; boundary="out:er"',
      '',
      'not shown by anything',
      '--out:er',
      'Content-Type: multipart/alternative; boundary=in',
      '',
      '--in',
      'Content-Type: text/plain',
      '',
      'as text',
      '--in',
      'Content-Type: text/html',
      '',
      '<p>as HTML</p>',
      '--in--',
      '--out:er',
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--out:er--',
      'nor this',
    );
    expect([mail.text, mail.html]).toEqual(['as text', '<p>as HTML</p>']);
  });

  test('of nothing, and of half a mail, is not refused', async () => {
    for (const raw of ['', '\r\n', 'Subject', 'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x', '=?utf-8?Q?']) {
      expect(await readMessage(Buffer.from(raw))).toMatchObject({ html: '' });
    }
  });
});
