import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Value } from 'typebox/value';
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    problems.push(`${name}_FILE names ${file}, which cannot be read (${code}).`);
    return undefined;
  }
};

/** The variables by their schema; what is wrong with one goes into `problems`. */
const readVariables = (env: Env, problems: string[]): Environment => {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of variables()) {
    const text = textOf(env, name, schema, problems);
    const given = schema['type'] === 'integer' && text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
    values[name] = given ?? schema['default'];
    if (given !== undefined && !Value.Check(schema, given))
      problems.push(`${name} ${schema.secret === true ? '' : `is "${text}", but `}must ${schema.must}.`);
    if (given === undefined && schema.needed !== undefined && values['DOGEAR_MODE'] === 'production')
      problems.push(`${name} is missing: ${schema.needed === true ? schema.description : schema.needed}.`);
  }
  return values as Environment;
};

/** What one variable says of another; a sentence for each contradiction. */
const contradictions = (env: Environment): string[] => {
  const isDemo = env.DOGEAR_MODE === 'demo';
  const problems: string[] = [];
  const refuse = (isWrong: boolean, problem: string): unknown => isWrong && problems.push(problem);
  const url = URL.parse(env.PUBLIC_URL ?? 'https://localhost') ?? new URL('https://localhost');
  refuse(
    url.pathname !== '/' || url.search !== '' || url.hash !== '',
    'PUBLIC_URL must have no path: the shop lives at the root of its host.',
  );
  refuse(!isDemo && url.protocol === 'http:', 'PUBLIC_URL must be https in production.');
  for (const name of ['HOST', 'METRICS_HOST'] as const) {
    const problem = `${name} is "${env[name]}", but the demo shop listens on this machine only (127.0.0.1).`;
    refuse(isDemo && !isLoopback(env[name]), problem);
  }
  for (const name of ['GOOGLE_ISSUER', 'GITHUB_URL', 'GITHUB_API_URL'] as const) {
    refuse(!isDemo && env[name].startsWith('http:'), `${name} is "${env[name]}", but must be an https address.`);
  }
  const isEmbedded = env.DATABASE_URL === undefined;
  refuse(
    isEmbedded && env.DATABASE_MIGRATE_URL !== undefined,
    'DATABASE_MIGRATE_URL names the owner of a database that DATABASE_URL must name, too.',
  );
  refuse(
    isEmbedded && env.DATABASE_REPLICA_URLS !== undefined,
    'DATABASE_REPLICA_URLS needs the DATABASE_URL of their primary: the embedded database has no replicas.',
  );
  for (const service of ['GOOGLE', 'GITHUB'] as const) {
    const isHalf = (env[`${service}_CLIENT_ID`] === undefined) !== (env[`${service}_CLIENT_SECRET`] === undefined);
    refuse(isHalf, `Both ${service}_CLIENT_ID and ${service}_CLIENT_SECRET are needed, or neither.`);
  }
  return [...problems, ...stripeProblems(env, isDemo)];
};

const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

const stripeProblems = (env: Environment, isDemo: boolean): string[] => {
  const given = STRIPE.filter((name) => env[name] !== undefined);
  if (given.length === 0) return [];
  if (given.length < STRIPE.length)
    return [`Stripe needs all three of ${STRIPE.slice(0, 2).join(', ')} and ${STRIPE[2]}.`];
  // The keys of the payment stand-in are in its source: whoever reads it could sign events with them.
  const problems = given
    .filter((name) => !isDemo && env[name]?.includes('dogear_standin') === true)
    .map((name) => `${name} is the stand-in's, which everybody knows; production needs its own.`);
  const [secretIsLive, publishableIsLive] = STRIPE.map((name) => env[name]?.slice(3).startsWith('live_') === true);
  if ((secretIsLive || publishableIsLive) && env.STRIPE_ALLOW_LIVE !== '1')
    problems.push(
      'A live Stripe key is refused: real cards would be charged. Set STRIPE_ALLOW_LIVE=1 if that is meant.',
    );
  if (secretIsLive !== publishableIsLive)
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are not of the same mode.');
  return problems;
};

const stripeOf = ({ STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey, ...env }: Environment) => {
  const webhookSecret = env.STRIPE_WEBHOOK_SECRET;
  if (secretKey === undefined || publishableKey === undefined || webhookSecret === undefined) return undefined;
  return { secretKey, publishableKey, webhookSecret };
};

const credentialsOf = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };

/**
 * A shop's registration with Google, or with whoever speaks OpenID Connect as Google does: the rest is discovered at
 * `issuer`.
 */
const googleOf = (env: Environment) => {
  const credentials = credentialsOf(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET);
  return credentials && { ...credentials, issuer: env.GOOGLE_ISSUER };
};

/** A shop's registration with Github or a Github Enterprise Server; users sign in at `url` followed by /login/oauth. */
const githubOf = (env: Environment) => {
  const credentials = credentialsOf(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET);
  const [url, apiUrl] = [env.GITHUB_URL, env.GITHUB_API_URL].map((address) => address.replace(/\/$/, ''));
  return credentials && { ...credentials, url: url ?? '', apiUrl: apiUrl ?? '' };
};

const basisPoints = (percent: string): number => Math.round(Number(percent) * 100);

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
    databaseUrl: env.DATABASE_URL,
    databaseMigrateUrl: env.DATABASE_MIGRATE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    replicaUrls: (env.DATABASE_REPLICA_URLS ?? '').split(',').flatMap((part) => part.trim() || []) as readonly string[],
    // The web that is reloaded in place lives in one process.
    workers: dev ? 1 : env.WORKERS,
    stripe: stripeOf(env),
    standinsUrl: isDemo ? env.STANDINS_URL : undefined,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? `no-reply@${url.hostname}`,
    // RFC 2142 names the mailbox that is there where none is said.
    securityContact: env.SECURITY_CONTACT ?? `mailto:security@${url.hostname}`,
    social: { google: googleOf(env), github: githubOf(env) },
    trustProxy: env.TRUST_PROXY,
    cacheBytes: env.CACHE_MB * 1_000_000,
    holdMinutes: env.HOLD_MINUTES,
    shopTimeZone: env.SHOP_TIME_ZONE,
    money: {
      commissionBasisPoints: basisPoints(env.COMMISSION_PERCENT),
      feeBasisPoints: basisPoints(env.STRIPE_FEE_PERCENT),
      feeCents: env.STRIPE_FEE_CENTS,
      reconcileSeconds: env.RECONCILE_SECONDS,
      reconcileAllSeconds: env.RECONCILE_ALL_SECONDS,
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
export type GoogleConfig = NonNullable<ReturnType<typeof googleOf>>;
export type GithubConfig = NonNullable<ReturnType<typeof githubOf>>;

/** Reads and checks the environment; throws a `ConfigError` naming everything that is wrong or missing at once. */
export const readConfig = (given: Env): Config => {
  const problems: string[] = [];
  const env = readVariables(given, problems);
  problems.push(...contradictions(env));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(configOf(env));
};
