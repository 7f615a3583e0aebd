import { createHash } from 'node:crypto';
import { TEST_ACCOUNTS, type Account } from './accounts.ts';
import type { Asked } from './grants.ts';

const STYLE = `:root{color-scheme:light dark;--paper:#fff;--ground:#eef1f6;--ink:#1f2329;--quiet:#5a6270;--line:#ccd2dc;--accent:#1b5fc1;--warn:#fff4d6;--warn-ink:#5c4200}
.github{--accent:#1f2937}
@media (prefers-color-scheme:dark){:root{--paper:#23272f;--ground:#181b21;--ink:#edf0f4;--quiet:#aab2bf;--line:#454c58;--accent:#8ab4f8;--warn:#3d3210;--warn-ink:#f6dc93}.github{--accent:#d5dae2}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;display:grid;place-items:start center;padding:1rem}
main{width:100%;max-width:27rem;background:var(--paper);border:1px solid var(--line);border-top:.25rem solid var(--accent);border-radius:.75rem;padding:1.25rem}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:.5rem 0}
.note{background:var(--warn);color:var(--warn-ink);border-radius:.5rem;padding:.6rem .8rem;font-size:.9rem}
.quiet{color:var(--quiet);font-size:.9rem}
form{margin:0}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.5rem}
button,summary{font:inherit;color:inherit;cursor:pointer}
button{width:100%;min-height:2.75rem;text-align:left;background:none;border:1px solid var(--line);border-radius:.5rem;padding:.5rem .8rem;overflow-wrap:anywhere}
button:hover{border-color:var(--accent)}
button:focus-visible,summary:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button strong{display:block;font-weight:600}
button .quiet{display:block}
.go{background:var(--accent);color:var(--paper);border-color:var(--accent);text-align:center;font-weight:600}
details{border-top:1px solid var(--line);margin-top:1rem;padding-top:.25rem}
summary{min-height:2.75rem;display:flex;align-items:center;font-weight:600}
summary::before{content:"+";width:1.25rem;color:var(--accent)}
details[open] summary::before{content:"\\2212"}
.fields{display:grid;gap:.75rem;padding-bottom:.5rem}
label{display:grid;gap:.25rem;font-size:.9rem;font-weight:600}
input:not([type=checkbox]){font:inherit;font-weight:400;color:inherit;background:var(--paper);border:1px solid var(--quiet);border-radius:.5rem;padding:.5rem .6rem;width:100%}
.check{display:flex;align-items:center;gap:.5rem;font-weight:400;min-height:2rem}
.check input{width:1.2rem;height:1.2rem}
.last{border-top:1px solid var(--line);margin-top:1rem;padding-top:1rem}
.last button{text-align:center}`;

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** The policy of these pages: their own style, by hash; their forms lead here, and from here back to the shop. */
export function pagePolicy(formTarget = ''): string {
  const target = formTarget === '' ? '' : ` ${formTarget}`;
  return `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function page(title: string, look: string, body: string): string {
  return `<!doctype html>
<html lang="en" class="${look}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head>
<body><main>
${body}
</main></body>
</html>
`;
}

function hidden(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join('');
}

function form(asked: Asked, inside: string): string {
  const fields = {
    redirect_uri: asked.redirectUri,
    state: asked.state,
    code_challenge: asked.codeChallenge,
    nonce: asked.nonce,
  };
  return `<form method="post" action="decide">${hidden(fields)}${inside}</form>`;
}

function choice(account: Account): string {
  const note = account.verified ? '' : ' · address not verified';
  return `<li><button name="do" value="pick ${escaped(account.email)}"><strong>${escaped(account.name)}</strong><span class="quiet">${escaped(account.email)}${note}</span></button></li>`;
}

/** What a person sees whom the shop sent to a service: who it really is, accounts to pick from, ways to fail. */
export function choosingPage(service: 'Google' | 'Github', asked: Asked): string {
  const shop = new URL(asked.redirectUri).host;
  return page(
    `Stand-in for ${service}`,
    service.toLowerCase(),
    `<h1>Stand-in for ${service}</h1>
<p class="note">This is Dogear's stand-in, not ${service}. It plays the part of ${service} so that signing in can be tried
without an account there. Never type a real password here: none is asked for.</p>
${form(asked, `<h2>Go on to ${escaped(shop)} as</h2><ul>${TEST_ACCOUNTS.map(choice).join('')}</ul>`)}
<details><summary>Another account</summary>
${form(
  asked,
  `<div class="fields">
<label>Name<input name="name" autocomplete="off" maxlength="200"></label>
<label>Address<input name="email" type="email" autocomplete="off" maxlength="254" required></label>
<label>Picture (https, may be empty)<input name="picture" type="url" autocomplete="off" maxlength="2000"></label>
<label class="check"><input type="checkbox" name="verified" value="yes" checked>The address is verified</label>
<button class="go" name="do" value="typed">Go on</button></div>`,
)}
</details>
<details><summary>Let it fail</summary>
${form(
  asked,
  `<ul><li><button name="do" value="refuse"><strong>Refuse</strong><span class="quiet">as an organisation does that forbids the shop</span></button></li>
<li><button name="do" value="down"><strong>Be down</strong><span class="quiet">${service} answers the shop with 503</span></button></li>
<li><button name="do" value="slow"><strong>Be slow</strong><span class="quiet">${service} answers the shop after 8 seconds</span></button></li></ul>`,
)}
</details>
<div class="last">${form(asked, '<button name="do" value="cancel">Cancel</button>')}</div>`,
  );
}

/** What a person sees who opens the stand-in by itself. */
export function homePage(): string {
  return page(
    'Stand-ins for signing in',
    '',
    `<h1>Stand-ins for signing in</h1>
<p class="note">This is Dogear's stand-in for Google and Github, neither of the two.</p>
<p>Press Google or Github on the shop's sign-in page: it leads here, to a page where you pick or type a test account.
Nothing is stored: an account is known by its address, and is the same one whenever it is typed.</p>`,
  );
}

/** What a person sees whom nobody should have sent here like this. */
export function refusalPage(sentence: string): string {
  return page('Stand-in', '', `<h1>This cannot go on</h1><p>${escaped(sentence)}</p>`);
}
