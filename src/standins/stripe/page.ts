import { createHash } from 'node:crypto';
import { balanceOf, pendingIn, PLATFORM } from './connect/books.ts';
import { isoTime, moneyNow } from './connect/money-clock.ts';
import { escaped, inDollars } from './html.ts';
import type { Store } from './store/store.ts';

const SHOWN_INTENTS = 20;
const SHOWN_OTHERS = 10;

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
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

function row(cells: readonly string[], form = ''): string {
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}${form === '' ? '' : `<td>${form}</td>`}</tr>`;
}

function table(title: string, heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return `<h2>${title}</h2>\n<p>None yet.</p>`;
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<h2>${title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** What the buttons of a page are sent to, and what proves that it was this page. */
export interface PageForms {
  readonly action: string;
  readonly token: string;
}

type Deed = readonly [label: string, call: string, fields?: object];

/** Buttons that do what the control API does: `POST accounts/acct_1/state`. */
function buttons({ action, token }: PageForms, deeds: readonly Deed[]): string {
  const made = deeds.map(([label, call, fields = {}]) => {
    const value = escaped(`${call} ${JSON.stringify(fields)}`);
    return `<button name="deed" value="${value}">${escaped(label)}</button>`;
  });
  return `<form method="post" action="${escaped(action)}"><input type="hidden" name="token" value="${token}">${made.join(' ')}</form>`;
}

function intentsTable(store: Store): string {
  const rows = store
    .newestFirst('payment_intents')
    .slice(0, SHOWN_INTENTS)
    .map(({ intent }) => {
      const card = store.get('payment_methods', String(intent.payment_method))?.card;
      const amount = `${(intent.amount / 100).toFixed(2)} ${intent.currency.toUpperCase()}`;
      const paidWith = card === undefined ? '' : `${card.brand} ${card.last4}`;
      return row([intent.id, amount, intent.status, paidWith, isoTime(intent.created)]);
    });
  return table('Latest payment intents', ['Payment intent', 'Amount', 'Status', 'Card', 'Created'], rows);
}

function accountsTable(store: Store, forms: PageForms): string {
  const rows = store
    .newestFirst('accounts')
    .slice(0, SHOWN_OTHERS)
    .map(({ account: { id }, state, bank }) => {
      const balance = balanceOf(store, id);
      const cells = [id, state, inDollars(balance.available), inDollars(pendingIn(balance)), bank.status];
      const deeds: Deed[] = [
        ['All is well', `POST accounts/${id}/state`, { state: 'active' }],
        ['Look at it', `POST accounts/${id}/state`, { state: 'pending' }],
        ['Refuse', `POST accounts/${id}/state`, { state: 'refused' }],
        ['Restrict', `POST accounts/${id}/state`, { state: 'restricted' }],
        ['Close it', `POST accounts/${id}/state`, { state: 'closed' }],
        ['Close its bank account', `POST accounts/${id}/bank`, { closed: true }],
        ['Name another bank', `POST accounts/${id}/bank`, { closed: false }],
        ['Pay out now', `POST accounts/${id}/pay-out`],
        ['Put below zero', `POST accounts/${id}/balance`, { available: -1_000 }],
      ];
      return row(cells, buttons(forms, deeds));
    });
  return table('Sellers’ accounts', ['Account', 'State', 'Available', 'On its way', 'Bank', 'What happens'], rows);
}

function transfersTable(store: Store): string {
  const rows = store
    .newestFirst('transfers')
    .slice(0, SHOWN_OTHERS)
    .map((transfer) =>
      row([
        transfer.id,
        inDollars(transfer.amount),
        inDollars(transfer.amount_reversed),
        String(transfer.destination),
        String(transfer.source_transaction ?? 'what is available'),
        isoTime(transfer.created),
      ]),
    );
  return table('Latest transfers', ['Transfer', 'Amount', 'Taken back', 'To', 'From', 'Created'], rows);
}

function payoutsTable(store: Store, forms: PageForms): string {
  const rows = store
    .newestFirst('payouts')
    .slice(0, SHOWN_OTHERS)
    .map(({ account, payout }) => {
      const cells = [
        payout.id,
        inDollars(payout.amount),
        account,
        payout.status,
        isoTime(payout.arrival_date).slice(0, 10),
      ];
      return row(cells, buttons(forms, [['Send it back', `POST payouts/${payout.id}/fail`]]));
    });
  return table('Latest payouts to banks', ['Payout', 'Amount', 'Of', 'State', 'Arrives', 'What happens'], rows);
}

function refundsTable(store: Store, forms: PageForms): string {
  const rows = store
    .newestFirst('refunds')
    .slice(0, SHOWN_OTHERS)
    .map((refund) => {
      const cells = [refund.id, inDollars(refund.amount), String(refund.payment_intent), String(refund.status)];
      return row(cells, buttons(forms, [['The bank sends it back', `POST refunds/${refund.id}/fail`]]));
    });
  return table('Latest refunds', ['Refund', 'Amount', 'Of', 'State', 'What happens'], rows);
}

function disputesTable(store: Store, forms: PageForms): string {
  const rows = store
    .newestFirst('disputes')
    .slice(0, SHOWN_OTHERS)
    .map((dispute) => {
      const cells = [dispute.id, inDollars(dispute.amount), String(dispute.payment_intent), dispute.status];
      const deeds: Deed[] = [
        ['Won', `POST disputes/${dispute.id}/close`, { status: 'won' }],
        ['Lost', `POST disputes/${dispute.id}/close`, { status: 'lost' }],
        ['Appeal won', `POST disputes/${dispute.id}/appeal`, { status: 'won' }],
      ];
      return row(cells, buttons(forms, deeds));
    });
  return table('Latest disputes', ['Dispute', 'Amount', 'Of', 'State', 'What happens'], rows);
}

function shopsMoney(store: Store, forms: PageForms): string {
  const balance = balanceOf(store, PLATFORM);
  const broken = (on: string) => ({ faults: [{ fault: 'fail', next: 1, on }] });
  return `<h2>The shop’s money</h2>
<p>Available: ${inDollars(balance.available)}. On its way: ${inDollars(pendingIn(balance))}. Money moves by the clock of
the shop: it is ${isoTime(moneyNow(store))}.</p>
${buttons(forms, [
  ['Leave nothing available', 'POST balance', { available: 0 }],
  ['Make 1,000,000.00 USD available', 'POST balance', { available: 100_000_000 }],
  ['Answer 500 to the next transfer, once it is made', 'POST faults', broken('POST /v1/transfers')],
  ['Answer 500 to the next refund, once it is made', 'POST faults', broken('POST /v1/refunds')],
  ['Forget all idempotency keys', 'DELETE keys'],
  ['End all faults', 'DELETE faults'],
])}`;
}

/**
 * What a person sees who opens the stand-in: what it is, its cards, its latest payments, and where sellers' money is.
 * No secret of anybody, no name, no address.
 */
export function homePage(store: Store, forms: PageForms): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stand-in for Stripe</title><style>${STYLE}</style></head>
<body><main>
<h1>Stand-in for Stripe</h1>
<p>This is Dogear's stand-in for Stripe, not Stripe. No money moves here, and no card is charged. It answers Stripe's
calls under <code>v1/</code> and <code>v2/</code> and serves the browser script <code>stripe.js</code>. Do not type a
real card's number: only brand and last four digits of a card are kept, but there is no reason to send more.</p>
<h2>Test cards</h2>
<p>With any expiry date that is not past and any three digits as CVC.</p>
<table><thead><tr><th scope="col">Number</th><th scope="col">What happens</th></tr></thead><tbody>${CARDS.map((card) => row(card)).join('')}</tbody></table>
${intentsTable(store)}
${shopsMoney(store, forms)}
${accountsTable(store, forms)}
${transfersTable(store)}
${payoutsTable(store, forms)}
${refundsTable(store, forms)}
${disputesTable(store, forms)}
</main></body>
</html>
`;
}
