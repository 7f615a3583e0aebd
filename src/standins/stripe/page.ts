import { createHash } from 'node:crypto';
import type { Store } from './store/store.ts';

const SHOWN_INTENTS = 20;

const CARDS = [
  ['4242 4242 4242 4242', 'is paid'],
  ['5555 5555 5555 4444', 'is paid (Mastercard)'],
  ['4000 0025 0000 3155', 'asks for authentication, which you complete or fail'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'is declined for insufficient funds'],
  ['4000 0000 0000 0069', 'is declined as expired'],
  ['4000 0000 0000 0127', 'is declined for its security code'],
  ['4000 0000 0000 0259', 'is paid, and disputed as fraudulent at once'],
  ['4000 0077 0000 0000', 'is processed for a moment, and then paid (this stand-in’s own)'],
  ['4000 0077 0000 0018', 'is processed for a moment, and then declined (this stand-in’s own)'],
] as const;

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
.scroll{overflow-x:auto}
th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}
code{font-size:.9em}`;

/** The policy of this page: its own style, by hash, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
}

/**
 * What a person sees who opens the stand-in: what it is, its cards, its latest payments. No secret, no name, no
 * address.
 */
export function homePage(store: Store): string {
  const intents = store.newestFirst('payment_intents').slice(0, SHOWN_INTENTS);
  const rows = intents.map(({ intent }) => {
    const card = store.get('payment_methods', String(intent.payment_method))?.card;
    const amount = `${(intent.amount / 100).toFixed(2)} ${intent.currency.toUpperCase()}`;
    const paidWith = card === undefined ? '' : `${card.brand} ${card.last4}`;
    return row([intent.id, amount, intent.status, paidWith, new Date(intent.created * 1000).toISOString()]);
  });
  const list =
    rows.length === 0
      ? '<p>None yet.</p>'
      : `<div class="scroll" tabindex="0" role="region" aria-label="Latest payment intents"><table><thead><tr><th scope="col">Payment intent</th><th scope="col">Amount</th><th scope="col">Status</th><th scope="col">Card</th><th scope="col">Created</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stand-in for Stripe</title><style>${STYLE}</style></head>
<body>
<h1>Stand-in for Stripe</h1>
<p>This is Dogear's stand-in for Stripe, not Stripe. No money moves here, and no card is charged. It answers Stripe's
calls under <code>v1/</code> and serves the browser script <code>stripe.js</code>. Do not type a real card's number:
only brand and last four digits of a card are kept, but there is no reason to send more.</p>
<h2>Test cards</h2>
<p>With any expiry date that is not past and any three digits as CVC.</p>
<table><thead><tr><th scope="col">Number</th><th scope="col">What happens</th></tr></thead><tbody>${CARDS.map(row).join('')}</tbody></table>
<h2>Latest payment intents</h2>
${list}
</body>
</html>
`;
}
