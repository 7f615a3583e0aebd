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
    firstRefusalMinutes: 60,
  });
});

test('the demo shop refuses to listen beyond this machine', () => {
  expect(problemsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('this machine only')]);
});

describe('paying by hand', () => {
  const KEY = Buffer.alloc(32, 7).toString('base64');
  const OLD = Buffer.alloc(32, 8).toString('base64');
  const NACHA = {
    NACHA_BANK_ROUTING: '021000021',
    NACHA_BANK_NAME: 'First Bank',
    NACHA_COMPANY_ID: '1234567890',
    NACHA_COMPANY_NAME: 'Dogear Books',
  };

  test('is off unless it is asked for, and in production only with a key of its own', () => {
    expect(readConfig(PRODUCTION).payouts).toMatchObject({ way: 'connect', detailsKeys: [], nacha: undefined });
    expect(problemsOf({ ...PRODUCTION, PAYOUTS: 'manual' })).toEqual([
      expect.stringContaining('PAYOUT_DETAILS_KEY is missing'),
    ]);
    const opened = readConfig({ ...PRODUCTION, PAYOUTS: 'manual', PAYOUT_DETAILS_KEY: `${KEY}, ${OLD}` });
    expect(opened.payouts).toMatchObject({
      way: 'manual',
      detailsKeys: [KEY, OLD],
      holdHours: 72,
      minCents: 1_000,
      twoAdminsCents: 50_000,
    });
  });

  test('works in a demo by itself, with a key that production refuses', () => {
    const [demo = ''] = readConfig({ PAYOUTS: 'manual' }).payouts.detailsKeys;
    expect(Buffer.from(demo, 'base64')).toHaveLength(32);
    expect(problemsOf({ ...PRODUCTION, PAYOUTS: 'manual', PAYOUT_DETAILS_KEY: `${KEY},${demo}` })).toEqual([
      expect.stringContaining("the demo's"),
    ]);
  });

  test.each(['short', KEY.slice(0, -1), `${KEY}A`, `${KEY},`, `${KEY} ${OLD}`, 'ä'.repeat(44)])(
    'refuses the key "%s" without telling it back',
    (key) => {
      const problems = problemsOf({ PAYOUT_DETAILS_KEY: key });
      expect(problems).toEqual([expect.stringContaining('PAYOUT_DETAILS_KEY must be keys of 32 bytes in base64')]);
      expect(problems.join('')).not.toContain(key);
    },
  );

  test('takes what a bank wants to know for NACHA, all of it or none', () => {
    expect(readConfig(NACHA).payouts.nacha).toMatchObject({ bankRouting: '021000021', companyName: 'Dogear Books' });
    expect(problemsOf({ ...NACHA, NACHA_COMPANY_ID: '' })).toEqual([expect.stringContaining('all four')]);
    expect(problemsOf({ ...NACHA, NACHA_BANK_ROUTING: '021000022' })).toEqual([
      expect.stringContaining('nine digits of a routing number'),
    ]);
    expect(problemsOf({ ...NACHA, NACHA_COMPANY_NAME: 'A name of more than sixteen' })).toHaveLength(1);
  });
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

describe('photos', () => {
  const S3 = { PHOTO_STORE: 's3', PHOTO_S3_BUCKET: 'dogear-photos' };

  test('live in the data folder unless a bucket is named', () => {
    expect(readConfig({ ...PRODUCTION, DATA_DIR: '/data' }).photos).toEqual({ folder: '/data/photos' });
    const keys = { PHOTO_S3_KEY_ID: 'AKIDOGEAR', PHOTO_S3_SECRET: 'not told' };
    expect(readConfig({ ...PRODUCTION, ...S3, ...keys, PHOTO_S3_ENDPOINT: 'https://s3.example' }).photos).toEqual({
      bucket: 'dogear-photos',
      region: 'us-east-1',
      endpoint: 'https://s3.example',
      credentials: { accessKeyId: 'AKIDOGEAR', secretAccessKey: 'not told' },
    });
    expect(readConfig({ ...PRODUCTION, ...S3 }).photos).toMatchObject({ credentials: undefined, endpoint: undefined });
  });

  test('need the bucket, and both halves of a key', () => {
    expect(problemsOf({ PHOTO_STORE: 's3' })).toEqual([expect.stringContaining('PHOTO_S3_BUCKET is missing')]);
    expect(problemsOf({ ...S3, PHOTO_S3_SECRET: 'x' })).toEqual([expect.stringContaining('or neither')]);
  });
});

test.each([
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['PORT', '4190'],
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
  ['PHOTO_STORE', 'ftp'],
  ['PHOTO_S3_BUCKET', 'Photos'],
  ['PHOTO_S3_ENDPOINT', 's3.example'],
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
