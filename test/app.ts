import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathOf, type Answer, type EndpointSpec, type Input } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { buildApp, paymentDepsOf, type AppDeps } from '#server/app.ts';
import { createPhotoStore, type PhotoStore } from '#server/catalog/photos/store/photo-store.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { readConfig, type Config } from '#server/platform/config.ts';
import { answerResetRequests } from '#server/identity/passwords/reset.service.ts';
import { deliverDueMail, smtpTransport } from '#server/mail/delivery.service.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import type { Connect } from '#server/payments/connect/connect.ts';
import { createProvider } from '#server/payments/create-provider.ts';
import type { PaymentProvider } from '#server/payments/stripe-provider.ts';
import { openSocial } from '#server/services.ts';
import { createSignInStandin } from '#standins/sign-in/standin.ts';
import {
  STANDIN_CONNECT_WEBHOOK_SECRET,
  STANDIN_PUBLISHABLE_KEY,
  STANDIN_SECRET_KEY,
  STANDIN_WEBHOOK_SECRET,
} from '#standins/stripe/keys.ts';
import { createMailboxStandin, type KeptMail } from '#standins/mailbox/mailbox.ts';
import { createStripeStandin, type StripeStandin } from '#standins/stripe/standin.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { makeFastFolder } from './folders.ts';

/** Who a test call comes from: a bearer token, a cookie with the Origin a browser would send, or both. */
export interface Credential {
  readonly accessToken?: string | undefined;
  readonly cookie?: string | undefined;
}

export interface CallOptions {
  readonly as?: Credential | undefined;
  readonly headers?: Record<string, string>;
  readonly ip?: string;
}

/** An answer: `body` is what the contract promises when `status` is a success, the error body else. */
export interface TestAnswer<A> {
  readonly status: number;
  readonly body: A & { error?: Omit<ErrorBody['error'], 'requestId'> };
  readonly headers: Record<string, string | string[] | number | undefined>;
}

export interface TestApp {
  readonly app: FastifyInstance;
  /**
   * As the owner of the tables, for what tests look up and change; the shop itself works as a role that owns nothing.
   */
  readonly db: Db;
  readonly databaseUrl: string;
  readonly databaseAppUrl: string;
  readonly config: Config;
  readonly provider: PaymentProvider;
  /** What the shop's own work on payments is done with, such as the sweep of lapsed holds. */
  readonly payments: PaymentDeps;
  /** Where its photos lie. */
  readonly photos: PhotoStore;
  readonly standin: StripeStandin;
  readonly standinUrl: URL;
  /** Sends what waits in the outbox; answers the mail that ever arrived at `address`, the newest first. */
  mailTo(address: string): Promise<KeptMail[]>;
  /** Calls an endpoint by its contract; the input may be anything a test wants to be refused. */
  call<E extends EndpointSpec>(spec: E, input: Input<E>, options?: CallOptions): Promise<TestAnswer<Answer<E>>>;
  /** Sends any request, well-formed or not. */
  send(method: string, url: string, options?: CallOptions & { body?: unknown }): Promise<LightMyRequestResponse>;
  /** Listens on a free loopback port; for what must come over a socket. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const headersOf = (config: Config, options: CallOptions): Record<string, string> => ({
  ...(options.as?.accessToken !== undefined && { authorization: `Bearer ${options.as.accessToken}` }),
  ...(options.as?.cookie !== undefined && { cookie: options.as.cookie, origin: config.publicUrl }),
  ...options.headers,
});

const sharedWith = (other: TestApp): TestDatabase => ({
  url: other.databaseUrl,
  appUrl: other.databaseAppUrl,
  drop: async () => {},
});

/** The whole shop with a migrated database, a payment stand-in and no pages, unless `web`; close it when done. */
export const testApp = async (
  options: {
    env?: Record<string, string>;
    web?: boolean;
    holdMinutes?: number;
    /** Takes the log of the app. */
    writeLog?: (line: string) => void;
    /** Times to be played with. */
    social?: { readonly timeoutSeconds?: number; readonly slowMs?: number };
    /** What typed addresses of pictures are fetched by; absent: they are not. */
    fetchPicture?: AppDeps['fetchPicture'];
    outside?: AppDeps['outside'];
    /** In the place of a folder of its own: where photos lie. */
    photos?: PhotoStore;
    /** In the place of the stand-in's: what sellers are paid by. */
    connect?: Connect;
    /** Where Open Library or its stand-in is; absent: it is not asked. */
    openLibrary?: string;
    /** Another shop's database, as a second process of it has; that one is closed last. */
    beside?: TestApp;
  } = {},
): Promise<TestApp> => {
  const database = options.beside === undefined ? await createTestDatabase() : sharedWith(options.beside);
  const folder = await makeFastFolder('dogear-standin-');
  const config = readConfig({ LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent', ...options.env });
  const connection = connect(database.url, { connections: 10, publicUrl: config.publicUrl });
  const shop = connect(database.appUrl, { connections: 10, publicUrl: config.publicUrl });
  const standin = await createStripeStandin({
    file: path.join(folder, 'stripe.sqlite'),
    secretKey: STANDIN_SECRET_KEY,
    publishableKey: STANDIN_PUBLISHABLE_KEY,
    webhookSecret: STANDIN_WEBHOOK_SECRET,
    webhookUrls: [],
  });
  const port = await standin.listen(0);
  const standinUrl = new URL(`http://127.0.0.1:${port}`);
  const opened = createProvider({
    secretKey: STANDIN_SECRET_KEY,
    webhookSecret: STANDIN_WEBHOOK_SECRET,
    connectWebhookSecrets: [STANDIN_CONNECT_WEBHOOK_SECRET],
    at: { host: '127.0.0.1', port, protocol: 'http' },
  });
  const provider = options.connect === undefined ? opened : { ...opened, connect: options.connect };
  const mailbox = await createMailboxStandin({ file: path.join(folder, 'mailbox.sqlite') });
  const mailboxUrl = new URL(`http://127.0.0.1:${await mailbox.listen(0)}`);
  const transport = smtpTransport(mailbox.smtpUrl, config.mailFrom);
  const { timeoutSeconds, ...slow } = options.social ?? {};
  const isPlayed = config.mode === 'demo';
  const signInStandin = createSignInStandin({ origins: [config.publicUrl], ...slow });
  const signIn = isPlayed ? `http://127.0.0.1:${await signInStandin.listen(0)}` : undefined;
  const photos = options.photos ?? createPhotoStore({ folder: path.join(folder, 'photos') });
  const app = await buildApp({
    social: await openSocial(config, signIn, timeoutSeconds),
    db: shop.db,
    config,
    provider,
    photos,
    fetchPicture: options.fetchPicture,
    outside: options.outside,
    setup: { publishableKey: STANDIN_PUBLISHABLE_KEY, script: '/standins/stripe/stripe.js', test: true },
    standins: {
      stripe: standinUrl.href,
      mailbox: isPlayed ? mailboxUrl.href : undefined,
      signIn,
      openLibrary: options.openLibrary,
    },
    web: options.web === true,
    writeLog: options.writeLog,
  });
  await app.ready();
  const send: TestApp['send'] = (method, url, { body, ...more } = {}) =>
    app.inject({
      method: method as 'GET',
      url,
      headers: headersOf(config, more),
      ...(more.ip !== undefined && { remoteAddress: more.ip }),
      ...(body !== undefined && { payload: body as object }),
    });
  return {
    app,
    db: connection.db,
    databaseUrl: database.url,
    databaseAppUrl: database.appUrl,
    config,
    provider,
    payments: paymentDepsOf({ db: shop.db, config, provider }, app.log),
    photos,
    standin,
    standinUrl,
    send,
    call: async (spec, input, more = {}) => {
      const parts = input as { params?: object; query?: object; body?: unknown };
      const url = `/api${pathOf(spec, { params: { ...parts.params }, query: { ...parts.query } })}`;
      const answer = await send(spec.method, url, { ...more, ...(parts.body !== undefined && { body: parts.body }) });
      const body = answer.body === '' ? null : JSON.parse(answer.body);
      return { status: answer.statusCode, body, headers: answer.headers };
    },
    mailTo: async (address) => {
      await answerResetRequests(shop.db);
      const never = new AbortController().signal;
      await deliverDueMail(
        { db: shop.db, transport, publicUrl: config.publicUrl, shopTimeZone: config.shopTimeZone },
        { closing: never, cutOff: never },
        ({ kind, error }) => {
          throw new Error(`the mail ${kind} was given up: ${error}`);
        },
      );
      return mailbox.mails().filter(({ recipients }) => recipients.includes(address));
    },
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      await app.close();
      await Promise.all([standin.close(), mailbox.close(), ...(isPlayed ? [signInStandin.close()] : [])]);
      await Promise.all([connection.close(), shop.close()]);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
