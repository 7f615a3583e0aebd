import type Stripe from 'stripe';
import { randomText } from '#standins/stripe/api/ids.ts';
import type { AccountState } from '#standins/stripe/store/tables.ts';
import { DAY_SECONDS, isoTime } from './money-clock.ts';

type Account = Stripe.V2.Core.Account;
type Entry = Stripe.V2.Core.Account.Requirements.Entry;
type Transfers = Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.StripeTransfers;

/** What a new account is made of. */
export interface AccountDraft {
  email: string | null;
  name: string | null;
  country: string;
  dashboard: 'express' | 'full' | 'none';
  feesCollector: 'application' | 'stripe';
  lossesCollector: 'application' | 'stripe';
  metadata: Record<string, string>;
}

export const ACCOUNT_STATES = [
  'new',
  'half',
  'active',
  'pending',
  'refused',
  'restricted',
  'closed',
] as const satisfies readonly AccountState[];

const WANTED = [
  'identity.individual.given_name',
  'identity.individual.surname',
  'identity.individual.date_of_birth',
  'identity.individual.address',
  'configuration.recipient.default_outbound_destination',
] as const;
/** From here on it is what somebody leaves open who stops half-way. */
const HALF = 3;
const DOCUMENT = 'identity.individual.documents.primary_verification';
const RESTRICTED_DAYS = 7;

function entry(description: string, changes: Partial<Entry> = {}): Entry {
  const status = changes.minimum_deadline?.status ?? 'currently_due';
  return {
    awaiting_action_from: 'user',
    description,
    errors: [],
    impact: {
      restricts_capabilities: [
        { capability: 'stripe_balance.stripe_transfers', configuration: 'recipient', deadline: { status } },
      ],
    },
    minimum_deadline: { status },
    requested_reasons: [{ code: 'routine_onboarding' }],
    ...changes,
  };
}

function entriesIn(state: AccountState): Entry[] {
  switch (state) {
    case 'new':
      return WANTED.map((what) => entry(what));
    case 'half':
      return WANTED.slice(HALF).map((what) => entry(what));
    case 'active':
    case 'closed':
      return [];
    case 'pending':
      return [entry(DOCUMENT, { awaiting_action_from: 'stripe' })];
    case 'refused': {
      const description = 'The document cannot be read. Send a sharp picture of all of it.';
      return [entry(DOCUMENT, { errors: [{ code: 'verification_document_not_readable', description }] })];
    }
    case 'restricted': {
      const requested = { requested_reasons: [{ code: 'routine_verification' as const }] };
      return [entry(DOCUMENT, { minimum_deadline: { status: 'past_due' }, ...requested })];
    }
  }
}

function capabilityIn(state: AccountState): Transfers {
  if (state === 'active') return { status: 'active', status_details: [] };
  if (state === 'pending') {
    return { status: 'pending', status_details: [{ code: 'determining_status', resolution: 'no_resolution' }] };
  }
  if (state === 'closed') {
    return { status: 'restricted', status_details: [{ code: 'restricted_other', resolution: 'no_resolution' }] };
  }
  return { status: 'restricted', status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }] };
}

/** The account in another state, at this time. */
export function accountIn(account: Account, state: AccountState, now: number): Account {
  const entries = entriesIn(state);
  const capability = capabilityIn(state);
  const status = entries[0]?.minimum_deadline.status;
  return {
    ...account,
    closed: state === 'closed',
    configuration: {
      ...account.configuration,
      recipient: {
        applied: true,
        capabilities: { stripe_balance: { payouts: capability, stripe_transfers: capability } },
      },
    },
    requirements: {
      entries,
      ...(status !== undefined && {
        summary: { minimum_deadline: { status, time: isoTime(now + RESTRICTED_DAYS * DAY_SECONDS) } },
      }),
    },
  };
}

/** A recipient's account in its first state. */
export function newAccount(draft: AccountDraft, now: number): Account {
  const { feesCollector, lossesCollector } = draft;
  const responsibilities = {
    fees_collector: feesCollector,
    losses_collector: lossesCollector,
    requirements_collector: 'stripe' as const,
  };
  const account: Account = {
    id: `acct_1${randomText(15)}`,
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    closed: false,
    ...(draft.email !== null && { contact_email: draft.email }),
    created: isoTime(now),
    dashboard: draft.dashboard,
    defaults: { currency: 'usd', locales: [], responsibilities },
    ...(draft.name !== null && { display_name: draft.name }),
    identity: { country: draft.country.toLowerCase() },
    livemode: false,
    metadata: draft.metadata,
  };
  return accountIn(account, 'new', now);
}

const INCLUDED = {
  'configuration.customer': false,
  'configuration.merchant': false,
  'configuration.recipient': true,
  defaults: true,
  future_requirements: false,
  identity: true,
  requirements: true,
};

/** What may be asked for beside the account itself. */
export const INCLUDABLE: readonly string[] = Object.keys(INCLUDED);

/** The account as it is told: what was not asked for is null, as the second version of the API has it. */
export function accountFor(account: Account, include: readonly string[]): object {
  const told = <Value>(name: string, value: Value): Value | null => (include.includes(name) ? value : null);
  const configuration = {
    customer: null,
    merchant: null,
    recipient: told('configuration.recipient', account.configuration?.recipient ?? null),
  };
  const isAsked = include.some((name) => name.startsWith('configuration.'));
  return {
    ...account,
    configuration: isAsked ? configuration : null,
    contact_email: account.contact_email ?? null,
    contact_phone: null,
    defaults: told('defaults', account.defaults),
    display_name: account.display_name ?? null,
    future_requirements: null,
    identity: told('identity', account.identity),
    requirements: told('requirements', account.requirements),
  };
}
