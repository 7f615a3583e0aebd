import { createHash } from 'node:crypto';
import { nowSeconds, randomText } from '#standins/stripe/api/ids.ts';
import { escaped, inDollars } from '#standins/stripe/html.ts';
import type { DoDeed } from '#standins/stripe/store/deeds.ts';
import type { Store } from '#standins/stripe/store/store.ts';
import { changeAccount } from './accounts.ts';
import { balanceOf, pendingIn } from './books.ts';
import { isoTime } from './money-clock.ts';

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:2rem auto;padding:0 1rem}
button{display:block;width:100%;font:inherit;padding:.75rem;margin:.75rem 0;text-align:left}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** What a browser is answered. */
export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const OUTCOMES = { well: 'active', half: 'half', refused: 'refused' } as const;
type Outcome = keyof typeof OUTCOMES;

function page(status: number, title: string, content: string, formTargets = "'none'"): PageAnswer {
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action ${formTargets}`;
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main>
<h1>${escaped(title)}</h1>
${content}
</main></body>
</html>
`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy };
  return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, body };
}

function moved(address: string): PageAnswer {
  return { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' }, body: '' };
}

const gone = (): PageAnswer => page(404, 'This link does not work', '<p>Ask the shop for a new one.</p>');

interface PageDeps {
  store: Store;
  doDeed: DoDeed;
}

/**
 * The pages at which a seller meets Stripe: the onboarding, whose link works once and for some minutes, and the Express
 * dashboard.
 */
export function createConnectPages({ store, doDeed }: PageDeps) {
  /** Undefined for an address that is no page of these. */
  function answer(method: string, path: string, body: string): Promise<PageAnswer> | undefined {
    const [, room, token = '', ...rest] = path.split('/');
    if (rest.length > 0 || token === '') return undefined;
    if (room === 'onboarding' && method === 'GET') return openOnboarding(token);
    if (room === 'onboarding' && method === 'POST') return finishOnboarding(token, new URLSearchParams(body));
    return room === 'express' && method === 'GET' ? Promise.resolve(dashboard(token)) : undefined;
  }

  /** Shows the onboarding once; opened again, or late, the shop is asked for a new link. */
  async function openOnboarding(token: string): Promise<PageAnswer> {
    const link = store.get('account_links', token);
    if (link === undefined) return gone();
    if (link.formToken !== null || link.expiresAt < nowSeconds()) return moved(link.refreshUrl);
    const formToken = randomText(24);
    await doDeed(({ trx }) => trx.put('account_links', token, { ...link, formToken }));
    const button = (outcome: Outcome, label: string) =>
      `<button name="outcome" value="${outcome}">${escaped(label)}</button>`;
    const content = `<p>Here Stripe would ask who you are and where your money shall go. This is Dogear's stand-in for
Stripe: nothing is asked, and you choose what comes of it.</p>
<form method="post">
<input type="hidden" name="form" value="${formToken}">
${button('well', 'All is well: Stripe knows who you are, and a bank account is named')}
${button('half', 'Stop half-way: some answers are still missing')}
${button('refused', 'Refused: the document cannot be read')}
</form>`;
    const back = [link.returnUrl, link.refreshUrl].map((address) => new URL(address).origin);
    return page(200, 'Tell Stripe who you are', content, ["'self'", ...new Set(back)].join(' '));
  }

  async function finishOnboarding(token: string, form: URLSearchParams): Promise<PageAnswer> {
    const link = store.get('account_links', token);
    if (link === undefined) return gone();
    const outcome = form.get('outcome') ?? '';
    if (link.formToken === null || form.get('form') !== link.formToken || !Object.hasOwn(OUTCOMES, outcome)) {
      return moved(link.refreshUrl);
    }
    await doDeed((deed) => {
      // Its form counts once, too.
      deed.trx.put('account_links', token, { ...link, formToken: randomText(24) });
      changeAccount(deed, link.account, OUTCOMES[outcome as Outcome]);
    });
    return moved(link.returnUrl);
  }

  function dashboard(token: string): PageAnswer {
    const link = store.get('login_links', token);
    if (link === undefined || link.expiresAt < nowSeconds()) return gone();
    const balance = balanceOf(store, link.account);
    const payouts = store.newestFirst('payouts').filter(({ account }) => account === link.account);
    const rows = payouts.map(({ payout }) => {
      const cells = [
        inDollars(payout.amount),
        payout.status,
        isoTime(payout.arrival_date).slice(0, 10),
        payout.failure_message ?? '',
      ];
      return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
    });
    const table = `<table><thead><tr><th scope="col">To the bank</th><th scope="col">State</th><th scope="col">Arrives</th><th scope="col">Why not</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    return page(
      200,
      'Your money at Stripe',
      `<p>This is Dogear's stand-in for Stripe's Express dashboard. No money moves here.</p>
<p>Available: ${inDollars(balance.available)}. On its way: ${inDollars(pendingIn(balance))}.</p>
${rows.length === 0 ? '<p>Nothing went to your bank yet.</p>' : table}`,
    );
  }

  return { answer };
}
