import { isCalendarDay } from '#contract/orders/deadlines.ts';
import { isIP } from 'node:net';
import { Type, type Static, type TSchema, type TSchemaOptions } from 'typebox';
import { isRoutingNumber } from '#contract/money/bank-details.ts';
import { isTimeZone } from '#contract/time.ts';

/**
 * What a variable has beside its check: what it is for, the rule in words, what is said where it is missing in
 * production.
 */
export interface VariableFacts extends TSchemaOptions {
  readonly description: string;
  /** Whole numbers and choices say it by themselves. */
  readonly must?: string;
  /** What it is, where a shop in production needs it; true where its description says so. */
  readonly needed?: string | true;
  /** May stand in a file that `NAME_FILE` names, and is never repeated in a message. */
  readonly secret?: boolean;
  /** What the table of docs/operating.md says where it is not set. */
  readonly unset?: string;
}

type TextFacts = Omit<VariableFacts, 'description'> & { readonly is?: (text: string) => boolean };

/** A text that may be left out. */
const text = (description: string, facts: TextFacts = {}) => Type.Optional(checked({ description, ...facts }));
/** A text that has a default. */
const setting = (fallback: string, description: string, facts: TextFacts = {}) =>
  checked({ default: fallback, description, ...facts });
const checked = ({ is = () => true, ...facts }: TextFacts) => Type.Refine(Type.String(facts), is);

const whole = (minimum: number, maximum: number, fallback: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description });

export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Text without spaces that begins in one of these ways. */
const begins = (...ways: [string, ...string[]]) => ({
  must: `begin with ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ways)}`,
  is: (given: string) => !/\s/.test(given) && ways.some((way) => given.startsWith(way)),
});
const url = (...protocols: [string, ...string[]]) => {
  const { must, is } = begins(...protocols);
  return { must, is: (given: string) => is(given) && URL.canParse(given) };
};
const secret = { secret: true };
/** Hosts of several machines with commas are no URL to anybody but PostgreSQL. */
const postgres = { ...begins('postgres://', 'postgresql://'), ...secret };
/** A stand-in plays what a demo has not set up. */
const played = { needed: true, unset: 'the stand-in' } as const;
const closed = { unset: 'closed' };

/** A service that people sign in with, or one that speaks as it does. */
const provider = {
  must: 'be an https address',
  is: (address: string): boolean => {
    const at = URL.parse(address);
    if (at === null || at.search !== '' || at.hash !== '') return false;
    return at.protocol === 'https:' || (at.protocol === 'http:' && isLoopback(at.hostname));
  },
};

const percentTo = (maximum: number) => ({
  must: `be a percentage from 0 to ${maximum} with at most two decimals, such as 2.9`,
  is: (share: string) => /^\d{1,2}(\.\d{1,2})?$/.test(share) && Number(share) <= maximum,
});

/** Keys of AES-256, with commas. */
const keys = {
  must: 'be keys of 32 bytes in base64 (`openssl rand -base64 32`), with commas',
  is: (list: string) => list.split(',').every((key) => /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(key.trim())),
};

/** As much of American banks' characters as a field of theirs takes. */
const bankText = (length: number) => ({
  must: `be at most ${length} letters, digits, spaces and signs of ASCII`,
  is: (given: string) => /^[A-Za-z0-9 .,&'()/-]+$/.test(given) && given.length <= length,
});

const isNetwork = (part: string): boolean => {
  const [address = '', bits = '0', ...rest] = part.trim().split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
};

/**
 * Every variable that the configuration reads; `scripts/environment-table.ts` writes the table in docs/operating.md
 * from it.
 */
export const Environment = Type.Object({
  DOGEAR_MODE: Type.Enum(['demo', 'production'], {
    default: 'demo',
    description: '`production`: no stand-in, no demo account',
  }),
  PORT: whole(1, 65_535, 3000, 'the port where the shop listens'),
  HOST: setting('127.0.0.1', 'the address where it listens; in a demo this machine only'),
  PUBLIC_URL: text('what people type, https; links, cookies and origins follow it', {
    ...url('http:', 'https:'),
    needed: 'the https address people use',
    unset: '`http://localhost:PORT`',
  }),
  DATABASE_URL: text('the role of the shop', { ...postgres, needed: 'a PostgreSQL 15 or newer', unset: 'embedded' }),
  DATABASE_MIGRATE_URL: text('the owner of the tables, who migrates them', postgres),
  DATABASE_CONNECTIONS: whole(1, 200, 10, 'connections that answer requests at most; workers share them'),
  DATABASE_REPLICA_URLS: text('replicas for public reads, with commas', {
    ...postgres,
    must: 'be addresses that begin with postgres:// or postgresql://, with commas',
    is: (list) => list.split(',').every((part) => part.trim() === '' || postgres.is(part.trim())),
  }),
  WORKERS: whole(1, 64, 1, 'processes that answer requests on one port'),
  DATA_DIR: setting('./data', "photos, the embedded database, the stand-ins' files, backups"),
  PHOTO_STORE: Type.Enum(['folder', 's3'], {
    default: 'folder',
    description: 'where photos live: `photos` in the data folder, or an object store that several machines share',
  }),
  PHOTO_S3_BUCKET: text('the bucket, of the shop alone', {
    must: 'be the name of a bucket: 3 to 63 small letters, digits, points and dashes',
    is: (name) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name),
  }),
  PHOTO_S3_REGION: setting('us-east-1', 'its region; stores beside Amazon mostly take any'),
  PHOTO_S3_ENDPOINT: text('the address of a store that is not Amazon’s', {
    ...url('http:', 'https:'),
    unset: "Amazon's of the region",
  }),
  PHOTO_S3_KEY_ID: text('the access key that may read, write, delete and list in it', {
    unset: 'the role of the machine',
  }),
  PHOTO_S3_SECRET: text('its secret', secret),
  STRIPE_SECRET_KEY: text("Stripe's secret or restricted key", {
    ...begins('sk_test_', 'sk_live_', 'rk_test_', 'rk_live_'),
    ...played,
    ...secret,
  }),
  STRIPE_PUBLISHABLE_KEY: text("Stripe's publishable key", { ...begins('pk_test_', 'pk_live_'), ...played }),
  STRIPE_WEBHOOK_SECRET: text("the signing secret of Stripe's webhook endpoint", {
    ...begins('whsec_'),
    ...played,
    ...secret,
  }),
  STRIPE_CONNECT_WEBHOOK_SECRET: text("the signing secrets of Stripe's endpoints for connected accounts, with commas", {
    must: 'be signing secrets that begin with whsec_, with commas',
    is: (list) => list.split(',').every((one) => one.trim().startsWith('whsec_')),
    ...secret,
  }),
  STRIPE_ALLOW_LIVE: text('`1` admits live keys: real cards are charged'),
  SMTP_URL: text('the server that sends mail', { ...url('smtp:', 'smtps:'), ...played, ...secret }),
  MAIL_FROM: text('the address that mail comes from', {
    must: 'be one address, such as books@example.com',
    is: (address) => /^[^\s<>,;:"@]+@[^\s<>,;:"@]+$/.test(address),
    unset: '`no-reply@` the host',
  }),
  TEXTS_DIR: text('the folder of `terms.md`, `privacy.md`, `withdrawal.md` and `imprint.md`: docs/law.md', {
    unset: 'the texts of the project',
  }),
  SECURITY_CONTACT: text(
    'where `/.well-known/security.txt` says that holes are told of: `mailto:`, `https:` or `tel:`',
    { ...url('mailto:', 'https:', 'tel:'), unset: '`mailto:security@` the host' },
  ),
  OPEN_LIBRARY_CONTACT: text(
    'the mail or https address under which Open Library reaches the operator: it is asked about ISBNs that the shop does not know',
    {
      must: 'be a mail address or an https address',
      is: (contact) => /^[^\s<>,;:()"@]+@[^\s<>,;:()"@]+$/.test(contact) || /^https:\/\/[^\s();]+$/.test(contact),
      unset: 'not asked; in a demo the stand-in',
    },
  ),
  GOOGLE_CLIENT_ID: text('sign-in with Google; both or neither', closed),
  GOOGLE_CLIENT_SECRET: text('its secret', { ...closed, ...secret }),
  GOOGLE_ISSUER: setting('https://accounts.google.com', 'another OpenID Connect provider in its place', provider),
  GITHUB_CLIENT_ID: text('sign-in with Github; both or neither', closed),
  GITHUB_CLIENT_SECRET: text('its secret', { ...closed, ...secret }),
  GITHUB_URL: setting('https://github.com', 'a Github Enterprise Server in its place', provider),
  GITHUB_API_URL: setting('https://api.github.com', 'the API of that server', provider),
  HOLD_MINUTES: whole(1, 1_440, 30, 'how long a booking holds its copy'),
  FIRST_REFUSAL_MINUTES: whole(5, 600, 60, 'how long a reader who waited for a book is offered it before others'),
  HOLD_FIRST_LISTINGS: whole(0, 100, 0, 'the first so many books of a seller wait for an admin’s look; 0: none do'),
  HOLD_BELOW_PERCENT: whole(0, 90, 0, 'books below so much of what others ask for them wait for a look; 0: none do'),
  SHOP_TIME_ZONE: setting(
    'America/New_York',
    'the zone of public pages, and of mails to whoever has not told theirs; a browser shows its own',
    { must: 'be a name of the time zone database, such as Europe/Berlin', is: isTimeZone },
  ),
  SHOP_HOLIDAYS: text('days on which nobody must post, beside weekends, with commas', {
    must: 'be days such as 2026-12-25, with commas',
    is: (list) => list.split(',').every((day) => isCalendarDay(day.trim())),
  }),
  ORDER_POST_GRACE_DAYS: whole(0, 30, 2, 'working days after the promised one until an unposted order is cancelled'),
  ORDER_PICKUP_DAYS: whole(1, 90, 21, 'days until an order that nobody picks up is cancelled'),
  ORDER_RECEIVED_DAYS: whole(1, 90, 14, 'days after posting until an order counts as received'),
  ORDER_RECEIVED_ABROAD_DAYS: whole(1, 180, 30, 'the same for another country'),
  ORDER_MISSING_DAYS: whole(0, 90, 10, 'days after posting until an order may be called missing'),
  ORDER_MISSING_ABROAD_DAYS: whole(0, 180, 25, 'the same for another country'),
  ORDER_PROBLEM_HOURS: whole(1, 720, 72, 'hours after receipt until a complaint is too late'),
  ORDER_WITHDRAW_DAYS: whole(1, 90, 14, 'days in which a consumer may withdraw from a trader’s sale'),
  ORDER_ANSWER_DAYS: whole(1, 30, 3, 'working days in which a seller answers a complaint'),
  ORDER_RETURN_DAYS: whole(1, 90, 10, 'days in which a buyer sends a book back'),
  ORDER_REFUND_DAYS: whole(1, 720, 180, 'days after its end in which money of an order may go back'),
  ORDER_REACH_DAYS: whole(
    0,
    365,
    30,
    'days after its end in which buyer and seller of an order see how to reach each other',
  ),
  ORDER_ADDRESS_DAYS: whole(1, 3_650, 180, 'days after its end until only city and country of an order are kept'),
  ORDER_CANCELS: whole(0, 100, 3, 'paid orders that a buyer may cancel in 30 days'),
  COMMISSION_PERCENT: setting('0', 'what the shop keeps of a sale', percentTo(50)),
  STRIPE_FEE_PERCENT: setting('2.9', 'what Stripe is expected to keep of a payment', percentTo(20)),
  STRIPE_FEE_CENTS: whole(0, 1_000, 30, 'and this beside it'),
  PAYOUTS: Type.Enum(['connect', 'manual', 'off'], {
    default: 'connect',
    description: 'how sellers are paid: by Stripe Connect, `manual`ly (see [money.md](money.md#by-hand)), or not',
  }),
  PAYOUT_DETAILS_KEY: text('what encrypts bank details; the first of several writes, the others still read', {
    ...keys,
    ...secret,
    unset: 'a known one in a demo',
  }),
  PAYOUT_DETAILS_HOLD_HOURS: whole(0, 720, 72, 'hours without payouts after bank details were entered'),
  PAYOUT_MIN_CENTS: whole(1, 100_000, 1_000, 'the least that is paid out by hand'),
  PAYOUT_TWO_ADMINS_CENTS: whole(0, 10_000_000, 50_000, 'more in a batch needs a second admin'),
  NACHA_BANK_ROUTING: text("the routing number of the shop's own bank; all four of `NACHA_` or none", {
    must: 'be the nine digits of a routing number',
    is: isRoutingNumber,
    unset: 'CSV only',
  }),
  NACHA_BANK_NAME: text('its name', bankText(23)),
  NACHA_COMPANY_ID: text("the shop's company identification, as that bank gave it", bankText(10)),
  NACHA_COMPANY_NAME: text("the shop's name, as that bank knows it", bankText(16)),
  RECONCILE_SECONDS: whole(1, 86_400, 600, 'how often unpaid bookings are compared with Stripe'),
  RECONCILE_ALL_SECONDS: whole(1, 604_800, 86_400, 'how often everything is, both ways'),
  CACHE_MB: whole(1, 4_096, 12, 'memory for cached public answers, some 140 pages or 450 lists; workers share it'),
  PASSWORD_PROFILE: Type.Enum(['classic', 'nist'], {
    default: 'classic',
    description: '`nist`: 15 characters or more, no composition rules',
  }),
  TRUST_PROXY: text('addresses or networks of the proxies whose `X-Forwarded-For` is believed', {
    must: 'be addresses or networks of proxies, such as 10.0.0.1, 10.1.0.0/16',
    is: (list) => list.split(',').every(isNetwork),
    unset: 'nobody',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'where health and metrics are told: never to the world',
      unset: 'nowhere',
    }),
  ),
  METRICS_HOST: setting('127.0.0.1', 'the address of that port; in a demo this machine only'),
  LOG_LEVEL: Type.Optional(
    Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      description: 'JSON lines on standard output',
      unset: '`info` in production',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text('where traces are sent, see Watch'),
  STANDINS_URL: text('stand-ins that several demos share (`npm run standins`)', {
    must: 'be an http address on this machine',
    is: (address) => url('http:').is(address) && isLoopback(new URL(address).hostname),
  }),
  DEMO_ORDERS: text('`1`: a new demo shop begins with past sales and orders in every state, as `npm start` has it'),
  DEMO_PHOTOS: text('`1`: a third of a demo shop’s copies have sample photos, as `npm start` has it'),
  DOGEAR_DEV: text('`1`: for development; without effect in production'),
  DOGEAR_CRASH_AT: text('for [the proof](../lab/docs/proof.md); without effect in production'),
});

export type Environment = Static<typeof Environment>;

/** The variables with what is known of each. */
export const variables = (): [name: string, schema: TSchema & VariableFacts][] =>
  Object.entries(Environment.properties as unknown as Record<string, TSchema & VariableFacts>);

/** Those that may stand in a file. */
export const SECRETS = variables().flatMap(([name, { secret: isSecret }]) => (isSecret === true ? [name] : []));
