import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { BLOCKED_PORTS } from './blocked-ports.ts';
import { codeOf } from './errors.ts';
import { isLoopback, variables, type Environment, type VariableFacts } from './environment.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The environment does not make a shop; `problems` are sentences for whoever starts it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A variable as it was given, or what is in the file that `NAME_FILE` names; problems never tell what is in it. */
const textOf = (env: Env, name: string, { secret }: VariableFacts, problems: string[]): string | undefined => {
  const text = env[name]?.trim() || undefined;
  const file = secret === true && env[`${name}_FILE`]?.trim();
  if (!file) return text;
  if (text !== undefined) {
    problems.push(`Both ${name} and ${name}_FILE are given: one of them is enough.`);
    return text;
  }
  try {
    const content = readFileSync(file, 'utf8').trim();
    if (content === '') problems.push(`${name}_FILE names ${file}, which is empty.`);
    return content || undefined;
  } catch (error) {
    problems.push(`${name}_FILE names ${file}, which cannot be read (${codeOf(error) || 'unreadable'}).`);
    return undefined;
  }
};

const mustOf = ({ must, ...schema }: TSchema & VariableFacts): string => {
  if (Array.isArray(schema['enum'])) return `be one of ${schema['enum'].join(', ')}`;
  return must ?? `be a whole number from ${schema['minimum']} to ${schema['maximum']}`;
};

/** The variables by their schema; what is wrong with one goes into `problems`. */
const readVariables = (env: Env, problems: string[]): Environment => {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of variables()) {
    const text = textOf(env, name, schema, problems);
    const given = schema['type'] === 'integer' && text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
    values[name] = given ?? schema['default'];
    if (given !== undefined && !Value.Check(schema, given))
      problems.push(`${name} ${schema.secret === true ? '' : `is "${text}", but `}must ${mustOf(schema)}.`);
    if (given === undefined && schema.needed !== undefined && values['DOGEAR_MODE'] === 'production')
      problems.push(`${name} is missing: ${schema.needed === true ? schema.description : schema.needed}.`);
  }
  return values as Environment;
};

const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

const NACHA = ['NACHA_BANK_ROUTING', 'NACHA_BANK_NAME', 'NACHA_COMPANY_ID', 'NACHA_COMPANY_NAME'] as const;

/** Everybody can read it here: for the invented bank details of a demo. */
const DEMO_DETAILS_KEY = Buffer.from('the demo shop has no secret bank').toString('base64');

/** What one variable says of another about payouts. */
const payoutContradictions = function* (env: Environment): Generator<string> {
  const isDemo = env.DOGEAR_MODE === 'demo';
  if (!isDemo && env.PAYOUTS === 'manual' && env.PAYOUT_DETAILS_KEY === undefined)
    yield 'PAYOUT_DETAILS_KEY is missing: with PAYOUTS=manual it encrypts the bank details of sellers (openssl rand -base64 32).';
  if (!isDemo && listOf(env.PAYOUT_DETAILS_KEY).includes(DEMO_DETAILS_KEY))
    yield "PAYOUT_DETAILS_KEY is the demo's, which everybody knows; production needs its own.";
  const facts = NACHA.filter((name) => env[name] !== undefined);
  if (facts.length > 0 && facts.length < NACHA.length) yield `NACHA files need all four of ${NACHA.join(', ')}.`;
};

/** What one variable says of another; a sentence for each contradiction. */
const contradictions = function* (env: Environment): Generator<string> {
  const isDemo = env.DOGEAR_MODE === 'demo';
  const url = URL.parse(env.PUBLIC_URL ?? 'https://localhost') ?? new URL('https://localhost');
  if (url.pathname + url.search + url.hash !== '/')
    yield 'PUBLIC_URL must have no path: the shop lives at the root of its host.';
  // In production a proxy may listen elsewhere.
  if (isDemo && BLOCKED_PORTS.has(env.PORT))
    yield `PORT ${env.PORT} is one that browsers refuse to open: choose another, such as 3000.`;
  if (!isDemo && url.protocol === 'http:') yield 'PUBLIC_URL must be https in production.';
  for (const name of ['HOST', 'METRICS_HOST'] as const)
    if (isDemo && !isLoopback(env[name]))
      yield `${name} is "${env[name]}", but the demo shop listens on this machine only (127.0.0.1).`;
  for (const name of ['GOOGLE_ISSUER', 'GITHUB_URL', 'GITHUB_API_URL'] as const)
    if (!isDemo && env[name].startsWith('http:')) yield `${name} is "${env[name]}", but must be an https address.`;
  if (env.DATABASE_URL === undefined && env.DATABASE_MIGRATE_URL !== undefined)
    yield 'DATABASE_MIGRATE_URL names the owner of a database that DATABASE_URL must name, too.';
  if (env.DATABASE_URL === undefined && env.DATABASE_REPLICA_URLS !== undefined)
    yield 'DATABASE_REPLICA_URLS needs the DATABASE_URL of their primary: the embedded database has no replicas.';
  for (const name of ['GOOGLE', 'GITHUB'] as const)
    if ((env[`${name}_CLIENT_ID`] === undefined) !== (env[`${name}_CLIENT_SECRET`] === undefined))
      yield `Both ${name}_CLIENT_ID and ${name}_CLIENT_SECRET are needed, or neither.`;
  const keys = STRIPE.filter((name) => env[name] !== undefined);
  if (keys.length > 0 && keys.length < STRIPE.length)
    yield 'Stripe needs all three of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.';
  if (env.STRIPE_CONNECT_WEBHOOK_SECRET !== undefined && keys.length === 0)
    yield 'STRIPE_CONNECT_WEBHOOK_SECRET is of use only with the three of STRIPE_SECRET_KEY and its kin.';
  if (
    env.STRIPE_WEBHOOK_SECRET !== undefined &&
    listOf(env.STRIPE_CONNECT_WEBHOOK_SECRET).includes(env.STRIPE_WEBHOOK_SECRET)
  )
    yield 'STRIPE_CONNECT_WEBHOOK_SECRET repeats STRIPE_WEBHOOK_SECRET: each endpoint at Stripe has its own.';
  // The keys of the payment stand-in are in its source: whoever reads it could sign events with them.
  for (const name of [...keys, 'STRIPE_CONNECT_WEBHOOK_SECRET'] as const)
    if (!isDemo && env[name]?.includes('dogear_standin') === true)
      yield `${name} is the stand-in's, which everybody knows; production needs its own.`;
  const areLive = [env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY].map((key) => key?.slice(3).startsWith('live_'));
  if (areLive.includes(true) && env.STRIPE_ALLOW_LIVE !== '1')
    yield 'A live Stripe key is refused: real cards would be charged. Set STRIPE_ALLOW_LIVE=1 if that is meant.';
  if (keys.length === STRIPE.length && areLive[0] !== areLive[1])
    yield 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are not of the same mode.';
  yield* payoutContradictions(env);
  if (env.PHOTO_STORE === 's3' && env.PHOTO_S3_BUCKET === undefined)
    yield 'PHOTO_S3_BUCKET is missing: with PHOTO_STORE=s3 it names where photos live.';
  if ((env.PHOTO_S3_KEY_ID === undefined) !== (env.PHOTO_S3_SECRET === undefined))
    yield 'Both PHOTO_S3_KEY_ID and PHOTO_S3_SECRET are needed, or neither.';
};

/** What is of use only together; undefined where a part of it is not set. */
const together = <const T extends Record<string, string | undefined>>(values: T) =>
  Object.values(values).includes(undefined) ? undefined : (values as { [K in keyof T]: string });

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

/** What commas part; none where nothing is given. */
const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').flatMap((part) => part.trim() || []);

const basisPoints = (percent: string): number => Math.round(Number(percent) * 100);

/** A bucket of an object store that speaks S3, and who the shop is there. */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  /** Absent: Amazon's own, by the region. */
  readonly endpoint: string | undefined;
  /** Absent: what Amazon's client finds by itself, such as the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

const photoStoreOf = (env: Environment): { readonly folder: string } | S3Config => {
  if (env.PHOTO_STORE === 'folder') return { folder: path.resolve(env.DATA_DIR, 'photos') };
  return {
    bucket: env.PHOTO_S3_BUCKET ?? '',
    region: env.PHOTO_S3_REGION,
    endpoint: env.PHOTO_S3_ENDPOINT,
    credentials: together({ accessKeyId: env.PHOTO_S3_KEY_ID, secretAccessKey: env.PHOTO_S3_SECRET }),
  };
};

/**
 * What the shop works with; absent addresses mean the stand-in or the embedded database (environment.ts says what each
 * is).
 */
const configOf = (env: Environment) => {
  const isDemo = env.DOGEAR_MODE === 'demo';
  const dev = env.DOGEAR_DEV === '1' && isDemo;
  const url = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  const own = isDemo ? ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${env.PORT}`) : [];
  return {
    mode: env.DOGEAR_MODE,
    port: env.PORT,
    host: env.HOST,
    /** Scheme, host and port users see; links, cookies and origins follow it. */
    publicUrl: url.origin,
    /** Origins whose pages may use the session cookie on unsafe methods. */
    origins: [url.origin, ...own] as readonly string[],
    https: url.protocol === 'https:',
    dataDir: path.resolve(env.DATA_DIR),
    photos: photoStoreOf(env),
    databaseUrl: env.DATABASE_URL,
    databaseMigrateUrl: env.DATABASE_MIGRATE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    replicaUrls: listOf(env.DATABASE_REPLICA_URLS),
    // The web that is reloaded in place lives in one process.
    workers: dev ? 1 : env.WORKERS,
    stripe: together({
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
    }),
    /** What signs the events of connected accounts. */
    stripeConnectSecrets: listOf(env.STRIPE_CONNECT_WEBHOOK_SECRET),
    /** Whether a new demo shop begins with orders in every state. */
    demoOrders: isDemo && env.DEMO_ORDERS === '1',
    /** Whether a demo shop's copies get their sample photos. */
    demoPhotos: isDemo && env.DEMO_PHOTOS === '1',
    standinsUrl: isDemo ? env.STANDINS_URL : undefined,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? `no-reply@${url.hostname}`,
    // RFC 2142 names the mailbox that is there where none is said.
    securityContact: env.SECURITY_CONTACT ?? `mailto:security@${url.hostname}`,
    textsDir: env.TEXTS_DIR,
    openLibraryContact: env.OPEN_LIBRARY_CONTACT,
    social: {
      // Google, or whoever speaks OpenID Connect as it does: the rest is discovered at `issuer`.
      google: together({
        clientId: env.GOOGLE_CLIENT_ID,
        clientSecret: env.GOOGLE_CLIENT_SECRET,
        issuer: env.GOOGLE_ISSUER,
      }),
      // Github or a Github Enterprise Server; users sign in at `url` followed by /login/oauth.
      github: together({
        clientId: env.GITHUB_CLIENT_ID,
        clientSecret: env.GITHUB_CLIENT_SECRET,
        url: withoutSlash(env.GITHUB_URL),
        apiUrl: withoutSlash(env.GITHUB_API_URL),
      }),
    },
    trustProxy: env.TRUST_PROXY,
    cacheBytes: env.CACHE_MB * 1_000_000,
    holdMinutes: env.HOLD_MINUTES,
    firstRefusalMinutes: env.FIRST_REFUSAL_MINUTES,
    holding: { firstListings: env.HOLD_FIRST_LISTINGS, belowPercent: env.HOLD_BELOW_PERCENT },
    shopTimeZone: env.SHOP_TIME_ZONE,
    money: {
      commissionBasisPoints: basisPoints(env.COMMISSION_PERCENT),
      feeBasisPoints: basisPoints(env.STRIPE_FEE_PERCENT),
      feeCents: env.STRIPE_FEE_CENTS,
      reconcileSeconds: env.RECONCILE_SECONDS,
      reconcileAllSeconds: env.RECONCILE_ALL_SECONDS,
    },
    payouts: {
      way: env.PAYOUTS,
      /** In base64; the first one writes. */
      detailsKeys: env.PAYOUT_DETAILS_KEY === undefined && isDemo ? [DEMO_DETAILS_KEY] : listOf(env.PAYOUT_DETAILS_KEY),
      holdHours: env.PAYOUT_DETAILS_HOLD_HOURS,
      minCents: env.PAYOUT_MIN_CENTS,
      twoAdminsCents: env.PAYOUT_TWO_ADMINS_CENTS,
      /** Whose bank is asked by files of NACHA, and in whose name. */
      nacha: together({
        bankRouting: env.NACHA_BANK_ROUTING,
        bankName: env.NACHA_BANK_NAME,
        companyId: env.NACHA_COMPANY_ID,
        companyName: env.NACHA_COMPANY_NAME,
      }),
    },
    orders: {
      holidays: new Set((env.SHOP_HOLIDAYS ?? '').split(',').map((day) => day.trim())),
      /** How long waits are, by the variable that says so. */
      lengths: {
        ORDER_POST_GRACE_DAYS: env.ORDER_POST_GRACE_DAYS,
        ORDER_PICKUP_DAYS: env.ORDER_PICKUP_DAYS,
        ORDER_RECEIVED_DAYS: env.ORDER_RECEIVED_DAYS,
        ORDER_RECEIVED_ABROAD_DAYS: env.ORDER_RECEIVED_ABROAD_DAYS,
        ORDER_MISSING_DAYS: env.ORDER_MISSING_DAYS,
        ORDER_MISSING_ABROAD_DAYS: env.ORDER_MISSING_ABROAD_DAYS,
        ORDER_PROBLEM_HOURS: env.ORDER_PROBLEM_HOURS,
        ORDER_WITHDRAW_DAYS: env.ORDER_WITHDRAW_DAYS,
        ORDER_ANSWER_DAYS: env.ORDER_ANSWER_DAYS,
        ORDER_RETURN_DAYS: env.ORDER_RETURN_DAYS,
        ORDER_REFUND_DAYS: env.ORDER_REFUND_DAYS,
      } satisfies Record<string, number> as Readonly<Record<string, number>>,
      cancels: env.ORDER_CANCELS,
      reachDays: env.ORDER_REACH_DAYS,
      addressDays: env.ORDER_ADDRESS_DAYS,
    },
    passwordProfile: env.PASSWORD_PROFILE,
    logLevel: env.LOG_LEVEL ?? (isDemo ? 'warn' : 'info'),
    metrics: env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    dev,
  };
};

/** Everything the environment decides, read once and frozen. */
export type Config = Readonly<ReturnType<typeof configOf>>;
export type Mode = Config['mode'];
export type PayoutConfig = Config['payouts'];
export type GoogleConfig = NonNullable<Config['social']['google']>;
export type GithubConfig = NonNullable<Config['social']['github']>;

/** Reads and checks the environment; throws a `ConfigError` naming everything that is wrong or missing at once. */
export const readConfig = (given: Env): Config => {
  const problems: string[] = [];
  const env = readVariables(given, problems);
  problems.push(...contradictions(env));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(configOf(env));
};
