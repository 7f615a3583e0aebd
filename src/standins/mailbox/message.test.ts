import { describe, expect, test } from 'vitest';
import { readMessage } from './message.ts';

const read = (...lines: string[]) => readMessage(Buffer.from(lines.join('\r\n'), 'utf8'));

describe('reading a mail', () => {
  test('takes headers apart, folded ones too, and undoes encoded words', () => {
    const mail = read(
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
      text: 'Hello: not a header',
      html: '',
    });
  });

  test.each([
    ['7bit', 'plain text', 'plain text'],
    ['8bit', 'Grüße', 'Grüße'],
    ['base64', 'R3LDvMOf\r\nZQ==', 'Grüße'],
    ['quoted-printable', 'Gr=C3=BC=\r\n=C3=9Fe =3D =E2=82=AC 5   \r\nend', 'Grüße = € 5\nend'],
  ])('undoes %s', (encoding, body, text) => {
    const mail = read('Content-Type: text/plain; charset=utf-8', `Content-Transfer-Encoding: ${encoding}`, '', body);
    expect(mail.text).toBe(text);
  });

  test('knows other characters than those of UTF-8, and does not stumble over unknown ones', () => {
    const latin = Buffer.from('Content-Type: text/plain; charset="iso-8859-1"\r\n\r\nGr\xfc\xdfe', 'latin1');
    expect(readMessage(latin).text).toBe('Grüße');
    expect(read('Content-Type: text/plain; charset=klingon', '', 'Qapla').text).toBe('Qapla');
  });

  test('finds text and HTML among nested parts, and leaves attachments out', () => {
    const mail = read(
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

  test('of nothing, and of half a mail, is not refused', () => {
    for (const raw of ['', '\r\n', 'Subject', 'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x', '=?utf-8?Q?']) {
      expect(readMessage(Buffer.from(raw))).toMatchObject({ html: '' });
    }
  });
});
