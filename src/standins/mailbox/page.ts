import { createHash } from 'node:crypto';
import type { KeptMail } from './store.ts';

const STYLE = `:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 22%,transparent)}
body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:1.5rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.15rem;margin:1.75rem 0 .5rem}
.note{border:1px solid var(--line);border-radius:.6rem;padding:.7rem 1rem}
ul{list-style:none;padding:0;margin:1.25rem 0}
li{border-top:1px solid var(--line)}
li a{display:block;padding:.8rem .25rem;color:inherit;text-decoration:none}
li a:hover strong,li a:focus-visible strong{text-decoration:underline}
.quiet{opacity:.75;font-size:.9rem}
li .quiet{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
li,dd,pre{overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dt{opacity:.75}dd{margin:0}
pre{white-space:pre-wrap;border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:0;font:.95rem/1.55 ui-monospace,monospace}
iframe{width:100%;height:44rem;border:1px solid var(--line);border-radius:.6rem;background:#fff}
@media (prefers-color-scheme:dark){iframe{background:#211d1a}}`;

/** The policy of these pages: their own style, by hash, and the mail in its frame. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** The policy of a mail's HTML: it may look like something and lead somewhere when it is clicked, and that is all. */
export const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-top-navigation-by-user-activation";

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>
${body}
</body>
</html>
`;

const NOTE =
  '<p class="note">This is Dogear\'s stand-in for a mail server. Every mail the shop sends ends up here, and none leaves this machine.</p>';

const timeOf = (mail: KeptMail): string => `${mail.receivedAt.slice(0, 19).replace('T', ' ')} UTC`;

const row = (mail: KeptMail, base: string): string =>
  `<li><a href="${base}/mail/${mail.id}"><strong>${escaped(mail.subject)}</strong>` +
  `<span class="quiet"><span>to ${escaped(mail.to)}</span><time datetime="${mail.receivedAt}">${timeOf(mail)}</time></span></a></li>`;

/** All mails, the newest first. `base` is put before every link. */
export const listPage = (mails: readonly KeptMail[], base: string): string =>
  page(
    'Mailbox stand-in',
    `<h1>Mailbox</h1>
${NOTE}
${mails.length === 0 ? '<p>No mail yet. It comes within a second or two of what causes it; load this page again to see it.</p>' : `<ul>${mails.map((mail) => row(mail, base)).join('')}</ul>`}`,
  );

/** Text with its http addresses made links. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, index) => (index % 2 === 1 ? `<a href="${escaped(piece)}">${escaped(piece)}</a>` : escaped(piece)))
    .join('');

/** One mail: who, what, its text and its HTML in a frame that may do nothing. */
export const mailPage = (mail: KeptMail, base: string): string =>
  page(
    mail.subject,
    `<p><a href="${base}/">Mailbox</a></p>
<h1>${escaped(mail.subject)}</h1>
${NOTE}
<dl><dt>To</dt><dd>${escaped(mail.to)}</dd><dt>From</dt><dd>${escaped(mail.from)}</dd><dt>Received</dt><dd>${timeOf(mail)}</dd><dt>Message-ID</dt><dd>${escaped(mail.messageId)}</dd></dl>
<h2>Text</h2>
<pre>${linked(mail.text)}</pre>
${
  mail.html === ''
    ? ''
    : `<h2>HTML</h2>
<iframe title="The mail as HTML" src="${base}/mail/${mail.id}/html" sandbox="allow-top-navigation-by-user-activation"></iframe>`
}`,
  );

/** The mail's HTML, its links leading out of the frame. */
export const mailHtml = (mail: KeptMail): string => mail.html.replace(/<head>/i, '<head><base target="_top">');
