import { isIP } from 'node:net';
import path from 'node:path';
import { isTimeZone } from '#contract/time.ts';
import { readMoney, type MoneyConfig } from './money-config.ts';
import { withSecretFiles } from './secret-files.ts';
import { readSocial, type SocialConfig } from './social-config.ts';

export type Mode = 'demo' | 'production';

export interface StripeConfig {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
}

/** Everything the environment decides, read once and frozen. */
export interface Config {
  readonly mode: Mode;
  readonly port: number;
  readonly host: string;
  /** Scheme, host and port people see; links, cookies and origins follow it. */
  readonly publicUrl: string;
  /** Origins whose pages may use the session cookie on unsafe methods. */
  readonly origins: readonly string[];
  readonly https: boolean;
  readonly dataDir: string;
  /** Absent: the embedded database is used. */
  readonly databaseUrl: string | undefined;
  /** The owner of the tables, who migrates them; absent: the role of `databaseUrl` does both. */
  readonly databaseMigrateUrl: string | undefined;
  readonly databaseConnections: number;
  /** Replicas of that database, each by its own address; public reads go there. */
  readonly replicaUrls: readonly string[];
  /** Processes that answer requests; more than one share the port, and what is bounded for the shop. */
  readonly workers: number;
  /** Absent: the stand-in is used. */
  readonly stripe: StripeConfig | undefined;
  /** Address of a stand-in process that several apps share; absent: the app hosts its own. */
  readonly standinsUrl: string | undefined;
  readonly smtpUrl: string | undefined;
  /** The address mail comes from. */
  readonly mailFrom: string;
  /** Where holes are told of, as a URI; shown at /.well-known/security.txt. */
  readonly securityContact: string;
  /** Absent providers: their stand-in in a demo, closed in production. */
  readonly social: SocialConfig;
  /** Addresses of the proxies whose X-Forwarded-For is believed; absent: nobody's is. */
  readonly trustProxy: string | undefined;
  /** Memory for public answers that are kept for all. */
  readonly cacheBytes: number;
  readonly holdMinutes: number;
  /** Times are written in it for everybody whose own zone is not known. */
  readonly shopTimeZone: string;
  readonly money: MoneyConfig;
  readonly passwordProfile: 'classic' | 'nist';
  readonly logLevel: string;
  /** Where health and metrics are told, to nobody but operators; absent: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Where traces are sent (OTLP over HTTP); absent: none are made. */
  readonly traces: string | undefined;
  readonly dev: boolean;
}

/** The environment does not make a shop; `problems` are sentences for whoever starts it. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const NEEDED_IN_PRODUCTION = {
  PUBLIC_URL: 'the https address people use',
  DATABASE_URL: 'a PostgreSQL 15 or newer',
  STRIPE_SECRET_KEY: "Stripe's secret or restricted key",
  STRIPE_PUBLISHABLE_KEY: "Stripe's publishable key",
  STRIPE_WEBHOOK_SECRET: "the signing secret of Stripe's webhook endpoint",
  SMTP_URL: 'the server that sends mail',
};

const valueOf = (env: Env, name: string): string | undefined => {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
};

const wholeNumber = (
  env: Env,
  name: string,
  fallback: number,
  min: number,
  max: number,
  problems: string[],
): number => {
  const text = valueOf(env, name);
  if (text === undefined) return fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  problems.push(`${name} is "${text}", but must be a whole number from ${min} to ${max}.`);
  return fallback;
};

const oneOf = <T extends string>(env: Env, name: string, choices: readonly T[], fallback: T, problems: string[]): T => {
  const text = valueOf(env, name);
  if (text === undefined) return fallback;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) problems.push(`${name} is "${text}", but must be one of ${choices.join(', ')}.`);
  return found ?? fallback;
};

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

const readPublicUrl = (env: Env, mode: Mode, port: number, problems: string[]): URL => {
  const fallback = new URL(`http://localhost:${port}`);
  const text = valueOf(env, 'PUBLIC_URL');
  if (text === undefined) return fallback;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    problems.push(`PUBLIC_URL is "${text}", but must be an http or https address.`);
    return fallback;
  }
  const url = new URL(text);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    problems.push('PUBLIC_URL must have no path: the shop lives at the root of its host.');
  }
  if (mode === 'production' && url.protocol !== 'https:') {
    problems.push('PUBLIC_URL must be https in production.');
  }
  return url;
};

/** The keys of the payment stand-in are in its source: whoever reads it could sign events with them. */
const STANDIN_KEY = /dogear_standin/;

const readStripe = (env: Env, mode: Mode, problems: string[]): StripeConfig | undefined => {
  const secretKey = valueOf(env, 'STRIPE_SECRET_KEY');
  const publishableKey = valueOf(env, 'STRIPE_PUBLISHABLE_KEY');
  const webhookSecret = valueOf(env, 'STRIPE_WEBHOOK_SECRET');
  const given = [secretKey, publishableKey, webhookSecret].filter((value) => value !== undefined).length;
  if (given === 0) return undefined;
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined) {
    problems.push('Stripe needs all three of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.');
    return undefined;
  }
  if (mode === 'production') {
    const keys = {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    };
    for (const [name, key] of Object.entries(keys)) {
      if (STANDIN_KEY.test(key))
        problems.push(`${name} is the stand-in's, which everybody knows; production needs its own.`);
    }
  }
  const allowLive = valueOf(env, 'STRIPE_ALLOW_LIVE') === '1';
  if (!/^(sk|rk)_(test|live)_/.test(secretKey)) problems.push('STRIPE_SECRET_KEY must begin with sk_ or rk_.');
  if (!/^pk_(test|live)_/.test(publishableKey)) problems.push('STRIPE_PUBLISHABLE_KEY must begin with pk_.');
  const [secretIsLive, publishableIsLive] = [secretKey, publishableKey].map((key) => key.slice(3).startsWith('live_'));
  if ((secretIsLive || publishableIsLive) && !allowLive) {
    problems.push(
      'A live Stripe key is refused: real cards would be charged. Set STRIPE_ALLOW_LIVE=1 if that is meant.',
    );
  }
  if (!webhookSecret.startsWith('whsec_')) problems.push('STRIPE_WEBHOOK_SECRET must begin with whsec_.');
  if (secretIsLive !== publishableIsLive)
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are not of the same mode.');
  return { secretKey, publishableKey, webhookSecret };
};

const readStandinsUrl = (env: Env, problems: string[]): string | undefined => {
  const text = valueOf(env, 'STANDINS_URL');
  if (text === undefined) return undefined;
  if (URL.canParse(text) && new URL(text).protocol === 'http:' && isLoopback(new URL(text).hostname)) return text;
  problems.push(`STANDINS_URL is "${text}", but must be an http address on this machine.`);
  return undefined;
};

const readSmtpUrl = (env: Env, problems: string[]): string | undefined => {
  const text = valueOf(env, 'SMTP_URL');
  if (text === undefined || ['smtp:', 'smtps:'].includes(URL.parse(text)?.protocol ?? '')) return text;
  problems.push('SMTP_URL must begin with smtp:// or smtps://.');
  return undefined;
};

const readMailFrom = (env: Env, publicUrl: URL, problems: string[]): string => {
  const fallback = `no-reply@${publicUrl.hostname}`;
  const text = valueOf(env, 'MAIL_FROM');
  if (text === undefined || /^[^\s<>,;:"@]+@[^\s<>,;:"@]+$/.test(text)) return text ?? fallback;
  problems.push(`MAIL_FROM is "${text}", but must be one address, such as books@example.com.`);
  return fallback;
};

/** Prices are in US dollars; most of who reads the shop lives by a clock there. */
const DEFAULT_TIME_ZONE = 'America/New_York';

const readTimeZone = (env: Env, problems: string[]): string => {
  const name = valueOf(env, 'SHOP_TIME_ZONE') ?? DEFAULT_TIME_ZONE;
  if (isTimeZone(name)) return name;
  problems.push(`SHOP_TIME_ZONE is "${name}", but must be a name of the time zone database, such as Europe/Berlin.`);
  return DEFAULT_TIME_ZONE;
};

/** Where holes are told of (RFC 9116): an address of mail or the web. RFC 2142 names the mailbox that is there where none is said. */
const readSecurityContact = (env: Env, publicUrl: URL, problems: string[]): string => {
  const text = valueOf(env, 'SECURITY_CONTACT');
  if (text === undefined) return `mailto:security@${publicUrl.hostname}`;
  if (!/\s/.test(text) && ['mailto:', 'https:', 'tel:'].includes(URL.parse(text)?.protocol ?? '')) return text;
  problems.push(
    `SECURITY_CONTACT is "${text}", but must begin with mailto:, https: or tel:, such as mailto:security@example.com.`,
  );
  return text;
};

const isPostgresUrl = (text: string): boolean => ['postgres:', 'postgresql:'].includes(text.split('//', 1)[0] ?? '');

/** Connection strings, separated by commas; those of the embedded database have none. */
const readReplicaUrls = (env: Env, problems: string[]): string[] => {
  const urls = (valueOf(env, 'DATABASE_REPLICA_URLS') ?? '').split(',').flatMap((part) => part.trim() || []);
  if (!urls.every(isPostgresUrl)) {
    problems.push('DATABASE_REPLICA_URLS must be addresses that begin with postgres:// or postgresql://, with commas.');
  }
  if (urls.length > 0 && valueOf(env, 'DATABASE_URL') === undefined) {
    problems.push(
      'DATABASE_REPLICA_URLS needs the DATABASE_URL of their primary: the embedded database has no replicas.',
    );
  }
  return urls;
};

/** A port of its own, on this machine unless told otherwise: what is told there is nobody else's business. */
const readMetrics = (env: Env, mode: Mode, problems: string[]): Config['metrics'] => {
  const port = wholeNumber(env, 'METRICS_PORT', 0, 1, 65_535, problems);
  const host = valueOf(env, 'METRICS_HOST') ?? '127.0.0.1';
  if (mode === 'demo' && !isLoopback(host)) {
    problems.push(`METRICS_HOST is "${host}", but the demo shop listens on this machine only (127.0.0.1).`);
  }
  return port === 0 ? undefined : { host, port };
};

/** Addresses or networks, as `10.0.0.1, 10.1.0.0/16`. */
const readTrustProxy = (env: Env, problems: string[]): string | undefined => {
  const text = valueOf(env, 'TRUST_PROXY');
  const isNetwork = (part: string): boolean => {
    const [address = '', bits = '0', ...rest] = part.trim().split('/');
    const longest = isIP(address) === 4 ? 32 : 128;
    return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
  };
  if (text === undefined || text.split(',').every(isNetwork)) return text;
  problems.push(
    `TRUST_PROXY is "${text}", but must be addresses or networks of proxies, such as 10.0.0.1, 10.1.0.0/16.`,
  );
  return undefined;
};

/** Reads and checks the environment; throws a `ConfigError` naming everything that is wrong or missing at once. */
export const readConfig = (given: Env): Config => {
  const problems: string[] = [];
  const env = withSecretFiles(given, problems);
  const mode = oneOf(env, 'DOGEAR_MODE', ['demo', 'production'] as const, 'demo', problems);
  const dev = valueOf(env, 'DOGEAR_DEV') === '1' && mode === 'demo';
  const port = wholeNumber(env, 'PORT', 3000, 1, 65_535, problems);
  const publicUrl = readPublicUrl(env, mode, port, problems);
  const stripe = readStripe(env, mode, problems);
  const databaseUrl = valueOf(env, 'DATABASE_URL');
  const databaseMigrateUrl = valueOf(env, 'DATABASE_MIGRATE_URL');
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, DATABASE_MIGRATE_URL: databaseMigrateUrl })) {
    if (url !== undefined && !isPostgresUrl(url))
      problems.push(`${name} must begin with postgres:// or postgresql://.`);
  }
  if (databaseMigrateUrl !== undefined && databaseUrl === undefined) {
    problems.push('DATABASE_MIGRATE_URL names the owner of a database that DATABASE_URL must name, too.');
  }
  if (mode === 'production') {
    for (const [name, meaning] of Object.entries(NEEDED_IN_PRODUCTION)) {
      if (valueOf(env, name) === undefined) problems.push(`${name} is missing: ${meaning}.`);
    }
  }
  const host = valueOf(env, 'HOST') ?? '127.0.0.1';
  if (mode === 'demo' && !isLoopback(host)) {
    problems.push(`HOST is "${host}", but the demo shop listens on this machine only (127.0.0.1).`);
  }
  const config: Config = {
    mode,
    port,
    host,
    publicUrl: publicUrl.origin,
    origins:
      mode === 'demo'
        ? [publicUrl.origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`]
        : [publicUrl.origin],
    https: publicUrl.protocol === 'https:',
    dataDir: path.resolve(valueOf(env, 'DATA_DIR') ?? 'data'),
    databaseUrl,
    databaseMigrateUrl,
    databaseConnections: wholeNumber(env, 'DATABASE_CONNECTIONS', 10, 1, 200, problems),
    replicaUrls: readReplicaUrls(env, problems),
    // The web that is reloaded in place lives in one process.
    workers: dev ? 1 : wholeNumber(env, 'WORKERS', 1, 1, 64, problems),
    stripe,
    standinsUrl: mode === 'demo' ? readStandinsUrl(env, problems) : undefined,
    smtpUrl: readSmtpUrl(env, problems),
    mailFrom: readMailFrom(env, publicUrl, problems),
    securityContact: readSecurityContact(env, publicUrl, problems),
    social: readSocial((name) => valueOf(env, name), mode === 'demo', problems),
    trustProxy: readTrustProxy(env, problems),
    cacheBytes: wholeNumber(env, 'CACHE_MB', 32, 1, 4_096, problems) * 1_000_000,
    holdMinutes: wholeNumber(env, 'HOLD_MINUTES', 30, 1, 1_440, problems),
    shopTimeZone: readTimeZone(env, problems),
    money: readMoney(env, problems),
    passwordProfile: oneOf(env, 'PASSWORD_PROFILE', ['classic', 'nist'] as const, 'classic', problems),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, mode === 'demo' ? 'warn' : 'info', problems),
    metrics: readMetrics(env, mode, problems),
    traces: valueOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    dev,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
};
