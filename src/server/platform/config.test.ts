import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const STRIPE_TEST = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

const PRODUCTION = {
  DOGEAR_MODE: 'production',
  PUBLIC_URL: 'https://books.example',
  DATABASE_URL: 'postgres://db.example/dogear',
  SMTP_URL: 'smtps://mail.example',
  ...STRIPE_TEST,
};

test('an empty environment is a demo shop on this machine only', () => {
  expect(readConfig({})).toMatchObject({
    mode: 'demo',
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    https: false,
    databaseUrl: undefined,
    stripe: undefined,
    holdMinutes: 30,
  });
});

test('the demo shop refuses to listen beyond this machine', () => {
  expect(problemsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('this machine only')]);
});

describe('production', () => {
  test('lists everything it misses at once', () => {
    const problems = problemsOf({ DOGEAR_MODE: 'production' }).join('\n');
    for (const name of Object.keys(PRODUCTION).filter((name) => name !== 'DOGEAR_MODE')) {
      expect(problems).toContain(`${name} is missing`);
    }
  });

  test('opens when nothing is missing, and believes only its public address', () => {
    const config = readConfig(PRODUCTION);
    expect(config).toMatchObject({ mode: 'production', https: true, origins: ['https://books.example'] });
  });

  test.each([
    ['STRIPE_SECRET_KEY', 'sk_test_dogear_standin'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_dogear_standin'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_dogear_standin'],
    ['STRIPE_CONNECT_WEBHOOK_SECRET', 'whsec_2,whsec_dogear_standin_connect'],
  ])('refuses the %s of the stand-in, which everybody can read', (name, key) => {
    expect(problemsOf({ ...PRODUCTION, [name]: key })).toEqual([expect.stringContaining(`${name} is the stand-in's`)]);
    expect(problemsOf({ ...STRIPE_TEST, [name]: key })).toEqual([]);
  });

  test('says where holes are told of, by the usual mailbox where nobody says another', () => {
    expect(readConfig(PRODUCTION).securityContact).toBe('mailto:security@books.example');
    const said = { ...PRODUCTION, SECURITY_CONTACT: 'https://books.example/report' };
    expect(readConfig(said).securityContact).toBe('https://books.example/report');
  });

  test('refuses an address without https', () => {
    expect(problemsOf({ ...PRODUCTION, PUBLIC_URL: 'http://books.example' })).toEqual([
      'PUBLIC_URL must be https in production.',
    ]);
  });
});

describe('replicas', () => {
  const DATABASE_URL = 'postgres://primary/books';

  test('are addresses with commas between, and none by default', () => {
    const DATABASE_REPLICA_URLS = ' postgres://one/books, postgresql://two/books ,';
    expect(readConfig({ DATABASE_URL, DATABASE_REPLICA_URLS }).replicaUrls).toEqual([
      'postgres://one/books',
      'postgresql://two/books',
    ]);
    expect(readConfig({}).replicaUrls).toEqual([]);
  });

  test('of nothing, or of another kind, are refused', () => {
    expect(problemsOf({ DATABASE_REPLICA_URLS: 'postgres://one/books' })).toEqual([
      expect.stringContaining('the embedded database has no replicas'),
    ]);
    expect(problemsOf({ DATABASE_URL, DATABASE_REPLICA_URLS: 'postgres://one/books,two' })).toEqual([
      expect.stringContaining('DATABASE_REPLICA_URLS must be addresses'),
    ]);
  });
});

describe('Stripe keys', () => {
  test('a live key is refused unless it is meant', () => {
    const live = { ...STRIPE_TEST, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
    expect(problemsOf(live)).toEqual([expect.stringContaining('A live Stripe key is refused')]);
    expect(problemsOf({ ...live, STRIPE_ALLOW_LIVE: '1' })).toEqual([]);
  });

  test('keys of two modes and a missing third are refused', () => {
    expect(problemsOf({ ...STRIPE_TEST, STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_ALLOW_LIVE: '1' })).toEqual([
      expect.stringContaining('not of the same mode'),
    ]);
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_test_1' })).toEqual([expect.stringContaining('all three')]);
  });

  test('endpoints for connected accounts sign with secrets of their own', () => {
    const STRIPE_CONNECT_WEBHOOK_SECRET = 'whsec_2, whsec_3';
    expect(readConfig(STRIPE_TEST).stripeConnectSecrets).toEqual([]);
    const both = { ...STRIPE_TEST, STRIPE_CONNECT_WEBHOOK_SECRET };
    expect(readConfig(both).stripeConnectSecrets).toEqual(['whsec_2', 'whsec_3']);
    expect(problemsOf({ STRIPE_CONNECT_WEBHOOK_SECRET })).toEqual([expect.stringContaining('only with')]);
    const twice = { ...STRIPE_TEST, STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2,whsec_1' };
    expect(problemsOf(twice)).toEqual([expect.stringContaining('has its own')]);
    const other = { ...STRIPE_TEST, STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2,secret' };
    expect(problemsOf(other)).toEqual([expect.stringContaining('begin with whsec_')]);
  });
});

test.each([
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['GOOGLE_ISSUER', 'http://accounts.example'],
  ['GITHUB_URL', 'github.com'],
  ['GITHUB_API_URL', 'https://api.github.com?x=1'],
  ['GOOGLE_CLIENT_ID', 'without-its-secret'],
  ['HOLD_MINUTES', '0'],
  ['SHOP_TIME_ZONE', 'Mars/Olympus'],
  ['SHOP_TIME_ZONE', '+05:30'],
  ['COMMISSION_PERCENT', '51'],
  ['COMMISSION_PERCENT', '2.901'],
  ['STRIPE_FEE_PERCENT', '-1'],
  ['STRIPE_FEE_CENTS', '1.5'],
  ['RECONCILE_SECONDS', '0'],
  ['DOGEAR_MODE', 'staging'],
  ['PUBLIC_URL', 'books.example'],
  ['PUBLIC_URL', 'http://books.example/shop'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['WORKERS', '0'],
  ['METRICS_PORT', 'on'],
  ['METRICS_HOST', '0.0.0.0'],
  ['STANDINS_URL', 'http://elsewhere.example'],
  ['PASSWORD_PROFILE', 'none'],
  ['SMTP_URL', 'mail.example'],
  ['MAIL_FROM', 'Dogear <books@example.com>'],
  ['MAIL_FROM', 'nobody'],
  ['SECURITY_CONTACT', 'ada@books.example'],
  ['SECURITY_CONTACT', 'mailto:ada@books.example\nContact: mailto:eve@evil.example'],
  ['TRUST_PROXY', 'everybody'],
  ['TRUST_PROXY', '10.0.0.1/33'],
])('%s=%s is told in a sentence that names it', (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
});
