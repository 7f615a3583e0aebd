import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { invalidRequest, missingParam, StripeFailure } from '#standins/stripe/api/failure.ts';
import { newId, nowSeconds, randomText } from '#standins/stripe/api/ids.ts';
import { list, mergedMetadata, nested, oneOf, onlyKnown, requiredText, text } from '#standins/stripe/api/params.ts';
import type { FormObject } from '#standins/stripe/api/form.ts';
import { emitNotice } from '#standins/stripe/store/events.ts';
import type { AccountRow, AccountState } from '#standins/stripe/store/tables.ts';
import { accountFor, accountIn, INCLUDABLE, newAccount } from './account-object.ts';
import { isoTime, moneyNow } from './money-clock.ts';
import { DAILY, nextPayoutAfter } from './schedule.ts';

/** What may be sent, by the object it is in. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '': ['configuration', 'contact_email', 'dashboard', 'defaults', 'display_name', 'identity', 'include', 'metadata'],
  configuration: ['recipient'],
  'configuration.recipient': ['capabilities'],
  'configuration.recipient.capabilities': ['stripe_balance'],
  'configuration.recipient.capabilities.stripe_balance': ['stripe_transfers'],
  'configuration.recipient.capabilities.stripe_balance.stripe_transfers': ['requested'],
  defaults: ['currency', 'responsibilities'],
  'defaults.responsibilities': ['fees_collector', 'losses_collector'],
  identity: ['country', 'entity_type'],
};
const KNOWN_TO_READ: ReadonlySet<string> = new Set(['include']);
const KNOWN_IN_LINK: ReadonlySet<string> = new Set(['account', 'use_case']);
const KNOWN_IN_USE: ReadonlySet<string> = new Set(['account_onboarding', 'type']);
const KNOWN_IN_ONBOARDING: ReadonlySet<string> = new Set(['collection_options', 'refresh_url', 'return_url']);
/** Countries to which Stripe sends no money. */
const CLOSED_COUNTRIES: ReadonlySet<string> = new Set(['cu', 'ir', 'kp', 'sy']);
/** How long a link to the onboarding works. */
const LINK_SECONDS = 300;

/** The object at a path of known names, each of which is refused where it is not known. */
function at(form: FormObject, path: string): FormObject {
  const names = path === '' ? [] : path.split('.');
  let place = form;
  onlyKnown(place, new Set(KNOWN['']));
  names.forEach((name, depth) => {
    const here = names.slice(0, depth + 1).join('.');
    place = nested(place, name, here) ?? {};
    onlyKnown(place, new Set(KNOWN[here]));
  });
  return place;
}

function includeIn(params: FormObject): string[] {
  const include = list(params, 'include');
  const strange = include.find((name) => !INCLUDABLE.includes(name));
  if (strange === undefined) return include;
  throw invalidRequest(`Invalid include: ${strange.slice(0, 100)}`, { param: 'include' });
}

/** The account of this id; refused in the words of the version that asks. */
export function accountOf({ trx }: Pick<Deed, 'trx'>, id: string): AccountRow {
  const row = trx.get('accounts', id);
  if (row !== undefined) return row;
  throw new StripeFailure(404, {
    type: 'invalid_request_error',
    code: 'not_found',
    message: `No such account: '${id.slice(0, 100)}'`,
  });
}

function countryIn(identity: FormObject): string {
  const country = requiredText(identity, 'country', 'identity.country').toLowerCase();
  if (!/^[a-z]{2}$/.test(country) || CLOSED_COUNTRIES.has(country)) {
    const message = `Recipient accounts are not available in '${country.slice(0, 10)}'.`;
    throw invalidRequest(message, { code: 'country_unsupported', param: 'identity.country' });
  }
  return country;
}

/** `POST /v2/core/accounts`: somebody whom the shop may send money to, once Stripe knows who they are. */
export function createAccount(call: Call): object {
  const { params, trx } = call;
  const identity = at(params, 'identity');
  const responsibilities = at(params, 'defaults.responsibilities');
  const transfers = at(params, 'configuration.recipient.capabilities.stripe_balance.stripe_transfers');
  if (transfers['requested'] !== 'true') {
    throw missingParam('configuration.recipient.capabilities.stripe_balance.stripe_transfers.requested');
  }
  const include = includeIn(params);
  const email = text(params, 'contact_email');
  if (email === undefined) throw missingParam('contact_email');
  const collectors = ['application', 'stripe'] as const;
  const dashboard = oneOf(params, 'dashboard', ['express', 'full', 'none']) ?? 'none';
  const lossesCollector = oneOf(responsibilities, 'losses_collector', collectors) ?? 'stripe';
  if (dashboard === 'express' && lossesCollector !== 'application') {
    const message = 'The dashboard `express` needs `application` as losses_collector of a recipient.';
    throw invalidRequest(message, { param: 'defaults.responsibilities.losses_collector' });
  }
  const now = moneyNow(trx);
  const account = newAccount(
    {
      email,
      name: text(params, 'display_name') ?? null,
      country: countryIn(identity),
      dashboard,
      feesCollector: oneOf(responsibilities, 'fees_collector', collectors) ?? 'stripe',
      lossesCollector,
      metadata: mergedMetadata(params),
    },
    now,
  );
  trx.put('accounts', account.id, {
    account,
    state: 'new',
    bank: { id: newId('ba'), status: 'none', isClosed: false },
    schedule: DAILY,
    nextPayoutAt: nextPayoutAfter(now, DAILY),
  });
  emitNotice(call, 'v2.core.account.created', account.id);
  return accountFor(account, include);
}

export function retrieveAccount(call: Call): object {
  onlyKnown(call.params, KNOWN_TO_READ);
  return accountFor(accountOf(call, call.id).account, includeIn(call.params));
}

/** The account goes on to another state, and Stripe says that it did. */
export function changeAccount(deed: Deed, id: string, state: AccountState): object {
  const row = accountOf(deed, id);
  const account = accountIn(row.account, state, moneyNow(deed.trx));
  // Whoever went through all of it has named a bank account.
  const bank = state === 'active' && row.bank.status !== 'new' ? newBank() : row.bank;
  deed.trx.put('accounts', id, { ...row, account, state, bank });
  if (state === 'closed') emitNotice(deed, 'v2.core.account.closed', id);
  emitNotice(deed, 'v2.core.account[requirements].updated', id);
  emitNotice(deed, 'v2.core.account[configuration.recipient].capability_status_updated', id);
  return accountFor(account, INCLUDABLE);
}

export function newBank(): AccountRow['bank'] {
  return { id: newId('ba'), status: 'new', isClosed: false };
}

function addressIn(form: FormObject, key: string, param: string): string {
  const address = requiredText(form, key, param);
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address;
  throw invalidRequest('Not a valid URL', { code: 'url_invalid', param });
}

/** `POST /v2/core/account_links`: where an account's owner tells Stripe who they are; once, and for some minutes. */
export function createAccountLink(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_IN_LINK);
  const account = requiredText(params, 'account');
  accountOf(call, account);
  const use = nested(params, 'use_case') ?? {};
  onlyKnown(use, KNOWN_IN_USE);
  if (oneOf(use, 'type', ['account_onboarding']) === undefined) throw missingParam('use_case.type');
  const onboarding = nested(use, 'account_onboarding', 'use_case.account_onboarding') ?? {};
  onlyKnown(onboarding, KNOWN_IN_ONBOARDING);
  const refreshUrl = addressIn(onboarding, 'refresh_url', 'use_case.account_onboarding.refresh_url');
  const returnUrl = addressIn(onboarding, 'return_url', 'use_case.account_onboarding.return_url');
  const token = randomText(40);
  // Links are credentials, and live by the real clock.
  const expiresAt = nowSeconds() + LINK_SECONDS;
  trx.put('account_links', token, { account, refreshUrl, returnUrl, expiresAt, formToken: null });
  return {
    object: 'v2.core.account_link',
    account,
    created: isoTime(nowSeconds()),
    expires_at: isoTime(expiresAt),
    livemode: false,
    url: `${call.publicUrl}/onboarding/${token}`,
    use_case: {
      account_onboarding: { refresh_url: refreshUrl, return_url: returnUrl },
      type: 'account_onboarding',
    },
  };
}

/** `POST /v1/accounts/:id/login_links`: the Express dashboard of an account that has told Stripe who it is. */
export function createLoginLink(call: Call): object {
  const row = call.trx.get('accounts', call.id);
  if (row === undefined)
    throw invalidRequest(`No such account: '${call.id.slice(0, 100)}'`, { code: 'resource_missing', status: 404 });
  if (row.state === 'new' || row.state === 'half') {
    throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.');
  }
  const token = randomText(40);
  call.trx.put('login_links', token, { account: call.id, expiresAt: nowSeconds() + LINK_SECONDS });
  return { object: 'login_link', created: nowSeconds(), url: `${call.publicUrl}/express/${token}` };
}
