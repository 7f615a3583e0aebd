/** A mail before it has a form: what it says, in order. Both its forms, text and HTML, are made of this. */
export interface Letter {
  readonly subject: string;
  /** What the mail is about, in whole sentences. */
  readonly opening: readonly string[];
  /** What one may want to look up later, by name. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** The one thing to do about it. */
  readonly action?: { readonly label: string; readonly href: string };
  /** What else may be done about it. */
  readonly other?: { readonly label: string; readonly href: string };
  readonly closing?: readonly string[];
}

/** Makes addresses of the shop; every link of every mail comes from here. */
export type LinkTo = (path: string) => string;

/** Links below PUBLIC_URL, whatever the request that caused the mail said of its host. */
export const linksOf =
  (publicUrl: string): LinkTo =>
  (path) =>
    new URL(path, publicUrl).href;

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const greetingOf = (name: string): string => (name === '' ? 'Hello,' : `Hello ${name},`);

const FOOTER = 'You get this mail because of your account at Dogear, the shop for second-hand books.';

/** What stands below every letter; `choicesUrl` is where its reader chooses what is mailed, if they can. */
export interface Foot {
  readonly shopUrl: string;
  readonly choicesUrl?: string | undefined;
}

const CHOOSE = 'Choose what is mailed to you';

/** The letter as plain text, a paragraph a line: whoever shows it knows how wide it may be. */
export const textOf = (letter: Letter, name: string, { shopUrl, choicesUrl }: Foot): string => {
  const facts = (letter.facts ?? []).map(([fact, value]) => `${fact}: ${value}`).join('\n');
  const action = letter.action === undefined ? '' : `${letter.action.label}:\n${letter.action.href}`;
  const other = letter.other === undefined ? '' : `${letter.other.label}:\n${letter.other.href}`;
  const parts = [greetingOf(name), ...letter.opening, facts, action, other, ...(letter.closing ?? [])];
  const choose = choicesUrl === undefined ? '' : `\n${CHOOSE}: ${choicesUrl}`;
  return `${[...parts.filter((part) => part !== ''), `-- \n${FOOTER}\n${shopUrl}${choose}`].join('\n\n')}\n`;
};

// Mail programs know little CSS: colours inline for the light form, one media query for the dark one, tables for old
// Outlook.
const STYLE = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#211d1a!important}.sheet{background:#2b2623!important;border-color:#453d37!important}
.ink{color:#ece5dc!important}.quiet{color:#b3a89c!important}.rule{border-color:#453d37!important}
.button{background:#e39a6c!important}.button a{color:#211d1a!important}.link{color:#e9ab82!important}}`;

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const paragraph = (text: string): string => `<p class="ink" style="margin:0 0 16px;color:#2b2622">${escaped(text)}</p>`;

const factsTable = (facts: Letter['facts'] = []): string =>
  facts.length === 0
    ? ''
    : `<table role="presentation" cellpadding="0" cellspacing="0" width="100%" style="margin:0 0 20px">${facts
        .map(
          ([fact, value]) =>
            `<tr><td class="quiet rule" style="padding:6px 16px 6px 0;color:#6b6058;border-top:1px solid #e4dace;vertical-align:top;white-space:nowrap">${escaped(fact)}</td>` +
            `<td class="ink rule" style="padding:6px 0;color:#2b2622;border-top:1px solid #e4dace;word-break:break-word" width="100%">${escaped(value)}</td></tr>`,
        )
        .join('')}</table>`;

const actionBlock = (action: Letter['action']): string =>
  action === undefined
    ? ''
    : `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 12px"><tr><td class="button" style="background:#9a4a1f;border-radius:8px">` +
      `<a href="${escaped(action.href)}" style="display:inline-block;padding:12px 22px;color:#ffffff;font-weight:600;text-decoration:none">${escaped(action.label)}</a></td></tr></table>` +
      `<p class="quiet" style="margin:0 0 20px;font-size:13px;color:#6b6058">Or open this address: <a class="link" href="${escaped(action.href)}" style="color:#9a4a1f;word-break:break-all">${escaped(action.href)}</a></p>`;

const linkHtml = (href: string, words: string): string =>
  `<br><a class="link" href="${escaped(href)}" style="color:#9a4a1f">${escaped(words)}</a>`;

const otherBlock = (other: Letter['other']): string =>
  other === undefined
    ? ''
    : `<p style="margin:0 0 20px"><a class="link" href="${escaped(other.href)}" style="color:#9a4a1f">${escaped(other.label)}</a></p>`;

/** The letter as HTML: no picture, no script, nothing that is fetched from anywhere. */
export const htmlOf = (letter: Letter, name: string, { shopUrl, choicesUrl }: Foot): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(letter.subject)}</title>
<style>${STYLE}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#f6f0e7">
<table role="presentation" class="paper" cellpadding="0" cellspacing="0" width="100%" style="background:#f6f0e7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" width="100%" style="max-width:560px;font:16px/1.55 ${SANS}">
<tr><td class="ink" style="padding:0 4px 14px;font:600 22px/1.2 ${SERIF};color:#2b2622">Dogear</td></tr>
<tr><td class="sheet" style="background:#fffdf9;border:1px solid #e4dace;border-radius:12px;padding:28px 26px 12px">
<h1 class="ink" style="margin:0 0 16px;font:600 22px/1.3 ${SERIF};color:#2b2622">${escaped(letter.subject)}</h1>
${paragraph(greetingOf(name))}
${letter.opening.map(paragraph).join('\n')}
${factsTable(letter.facts)}${actionBlock(letter.action)}${otherBlock(letter.other)}
${(letter.closing ?? []).map(paragraph).join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:16px 4px;font-size:13px;color:#6b6058">${escaped(FOOTER)}${linkHtml(shopUrl, shopUrl)}${choicesUrl === undefined ? '' : linkHtml(choicesUrl, CHOOSE)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
