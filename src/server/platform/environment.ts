import { isIP } from 'node:net';
import { Type, type Static, type TSchema, type TSchemaOptions } from 'typebox';
import { isTimeZone } from '#contract/time.ts';

/**
 * What a variable has beside its check: what it is for, the rule in words, what is said where it is missing in
 * production.
 */
export interface VariableFacts extends TSchemaOptions {
  readonly description: string;
  readonly must?: string;
  /** What it is, where a shop in production needs it; true where its description says so. */
  readonly needed?: string | true;
  /** May stand in a file that `NAME_FILE` names, and is never repeated in a message. */
  readonly secret?: boolean;
  /** What the table of docs/operating.md says where it is not set. */
  readonly unset?: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

const whole = (minimum: number, maximum: number, fallback: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description, must: wholeFrom(minimum, maximum) });
const wholeFrom = (minimum: number, maximum: number): string => `be a whole number from ${minimum} to ${maximum}`;

const choice = <const T extends string[]>(choices: T, fallback: T[number], description: string) =>
  Type.Enum<T>(choices, { default: fallback, description, must: `be one of ${choices.join(', ')}` });

/** A text that may be left out. */
const text = (description: string, facts: Omit<VariableFacts, 'description'> = {}, is?: (text: string) => boolean) => {
  const plain = Type.String({ description, ...facts });
  return Type.Optional(is === undefined ? plain : Type.Refine(plain, is));
};
const secret = { secret: true };

const urlOf =
  (...protocols: string[]) =>
  (address: string): boolean =>
    !/\s/.test(address) && protocols.some((protocol) => URL.parse(address)?.protocol === `${protocol}:`);
/** Hosts of several machines with commas are no URL to anybody but PostgreSQL. */
const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address);
const POSTGRES = { must: 'begin with postgres:// or postgresql://', unset: 'embedded', ...secret };

const isProvider = (address: string): boolean => {
  const url = URL.parse(address);
  if (url === null || url.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
};
const provider = (fallback: string, description: string) =>
  Type.Refine(Type.String({ default: fallback, description, must: 'be an https address' }), isProvider);

const percent = (maximum: number, fallback: string, description: string) => {
  const must = `be a percentage from 0 to ${maximum} with at most two decimals, such as 2.9`;
  const schema = Type.String({ pattern: '^\\d{1,2}(\\.\\d{1,2})?$', default: fallback, description, must });
  return Type.Refine(schema, (share) => Number(share) <= maximum);
};

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
  DOGEAR_MODE: choice(['demo', 'production'], 'demo', '`production`: no stand-in, no demo account'),
  PORT: whole(1, 65_535, 3000, 'the port where the shop listens'),
  HOST: Type.String({ default: '127.0.0.1', description: 'the address where it listens; in a demo this machine only' }),
  PUBLIC_URL: text(
    'what people type, https; links, cookies and origins follow it',
    { must: 'be an http or https address', needed: 'the https address people use', unset: '`http://localhost:PORT`' },
    urlOf('http', 'https'),
  ),
  DATABASE_URL: text('the role of the shop', { ...POSTGRES, needed: 'a PostgreSQL 15 or newer' }, isPostgres),
  DATABASE_MIGRATE_URL: text('the owner of the tables, who migrates them', { ...POSTGRES, unset: '' }, isPostgres),
  DATABASE_CONNECTIONS: whole(1, 200, 10, 'connections that answer requests at most; workers share them'),
  DATABASE_REPLICA_URLS: text(
    'replicas for public reads, with commas',
    { must: 'be addresses that begin with postgres:// or postgresql://, with commas', ...secret },
    (list) => list.split(',').every((part) => part.trim() === '' || isPostgres(part.trim())),
  ),
  WORKERS: whole(1, 64, 1, 'processes that answer requests on one port'),
  DATA_DIR: Type.String({ default: './data', description: "the embedded database, the stand-ins' files, backups" }),
  STRIPE_SECRET_KEY: text(
    "Stripe's secret or restricted key",
    { must: 'begin with sk_ or rk_', needed: true, unset: 'the stand-in', ...secret },
    (key) => /^(sk|rk)_(test|live)_/.test(key),
  ),
  STRIPE_PUBLISHABLE_KEY: text(
    "Stripe's publishable key",
    { must: 'begin with pk_', needed: true, unset: 'the stand-in' },
    (key) => /^pk_(test|live)_/.test(key),
  ),
  STRIPE_WEBHOOK_SECRET: text(
    "the signing secret of Stripe's webhook endpoint",
    { must: 'begin with whsec_', needed: true, unset: 'the stand-in', ...secret },
    (key) => key.startsWith('whsec_'),
  ),
  STRIPE_ALLOW_LIVE: text('`1` admits live keys: real cards are charged'),
  SMTP_URL: text(
    'the server that sends mail',
    { must: 'begin with smtp:// or smtps://', needed: true, unset: 'the stand-in', ...secret },
    urlOf('smtp', 'smtps'),
  ),
  MAIL_FROM: text(
    'the address that mail comes from',
    { must: 'be one address, such as books@example.com', unset: '`no-reply@` the host' },
    (address) => /^[^\s<>,;:"@]+@[^\s<>,;:"@]+$/.test(address),
  ),
  SECURITY_CONTACT: text(
    'where `/.well-known/security.txt` says that holes are told of: `mailto:`, `https:` or `tel:`',
    { must: 'begin with mailto:, https: or tel:', unset: '`mailto:security@` the host' },
    urlOf('mailto', 'https', 'tel'),
  ),
  GOOGLE_CLIENT_ID: text('sign-in with Google; both or neither', { unset: 'closed' }),
  GOOGLE_CLIENT_SECRET: text('its secret', { unset: 'closed', ...secret }),
  GOOGLE_ISSUER: provider('https://accounts.google.com', 'another OpenID Connect provider in its place'),
  GITHUB_CLIENT_ID: text('sign-in with Github; both or neither', { unset: 'closed' }),
  GITHUB_CLIENT_SECRET: text('its secret', { unset: 'closed', ...secret }),
  GITHUB_URL: provider('https://github.com', 'a Github Enterprise Server in its place'),
  GITHUB_API_URL: provider('https://api.github.com', 'the API of that server'),
  HOLD_MINUTES: whole(1, 1_440, 30, 'how long a booking holds its copy'),
  SHOP_TIME_ZONE: Type.Refine(
    Type.String({
      default: 'America/New_York',
      description: 'the zone of public pages, and of mails to whoever has not told theirs; a browser shows its own',
      must: 'be a name of the time zone database, such as Europe/Berlin',
    }),
    isTimeZone,
  ),
  COMMISSION_PERCENT: percent(50, '0', 'what the shop keeps of a sale'),
  STRIPE_FEE_PERCENT: percent(20, '2.9', 'what Stripe is expected to keep of a payment'),
  STRIPE_FEE_CENTS: whole(0, 1_000, 30, 'and this beside it'),
  RECONCILE_SECONDS: whole(1, 86_400, 600, 'how often unpaid bookings are compared with Stripe'),
  RECONCILE_ALL_SECONDS: whole(1, 604_800, 86_400, 'how often everything is, both ways'),
  CACHE_MB: whole(1, 4_096, 32, 'memory for cached public answers; workers share it'),
  PASSWORD_PROFILE: choice(['classic', 'nist'], 'classic', '`nist`: 15 characters or more, no composition rules'),
  TRUST_PROXY: text(
    'addresses or networks of the proxies whose `X-Forwarded-For` is believed',
    { must: 'be addresses or networks of proxies, such as 10.0.0.1, 10.1.0.0/16', unset: 'nobody' },
    (list) => list.split(',').every(isNetwork),
  ),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'where health and metrics are told: never to the world',
      must: wholeFrom(1, 65_535),
      unset: 'nowhere',
    }),
  ),
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'the address of that port; in a demo this machine only',
  }),
  LOG_LEVEL: Type.Optional(
    Type.Enum([...LOG_LEVELS], {
      description: 'JSON lines on standard output',
      must: `be one of ${LOG_LEVELS.join(', ')}`,
      unset: '`info` in production',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text('where traces are sent, see Watch'),
  STANDINS_URL: text(
    'stand-ins that several demos share (`npm run standins`)',
    { must: 'be an http address on this machine' },
    (address) => urlOf('http')(address) && isLoopback(new URL(address).hostname),
  ),
  DOGEAR_DEV: text('`1`: for development; without effect in production'),
  DOGEAR_CRASH_AT: text('for [the proof](../lab/docs/proof.md); without effect in production'),
});

export type Environment = Static<typeof Environment>;

/** The variables with what is known of each. */
export const variables = (): [name: string, schema: TSchema & VariableFacts][] =>
  Object.entries(Environment.properties as unknown as Record<string, TSchema & VariableFacts>);

/** Those that may stand in a file. */
export const SECRETS = variables().flatMap(([name, { secret: isSecret }]) => (isSecret === true ? [name] : []));
