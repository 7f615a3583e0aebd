import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { STANDIN_PUBLISHABLE_KEY, STANDIN_SECRET_KEY, STANDIN_WEBHOOK_SECRET } from './keys.ts';
import { createStripeStandin, type StripeStandin, type StripeStandinOptions } from './standin.ts';

/** A Stripe client of the official SDK that talks to a stand-in; it does not retry, so that tests see every answer. */
export function sdkAt(port: number, secretKey: string = STANDIN_SECRET_KEY): Stripe {
  return new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

/** A folder that is gone after the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dogear-stripe-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A card as a browser sends it. */
export function aCard(number: string, changes: Record<string, string> = {}): Record<string, string> {
  const values = { number, exp_month: '12', exp_year: '2040', cvc: '123', ...changes };
  const entries = Object.entries(values).map(([key, value]) => [`payment_method_data[card][${key}]`, value]);
  return { 'payment_method_data[type]': 'card', ...Object.fromEntries(entries) };
}

/** A stand-in on a free port, its SDK client, and a browser's way to call it. Closed after the test. */
export async function aStandin(changes: Partial<StripeStandinOptions> = {}) {
  const file = changes.file ?? join(await aFolder(), 'stripe.sqlite');
  const log: string[] = [];
  const open = (): Promise<StripeStandin> =>
    createStripeStandin({
      file,
      secretKey: STANDIN_SECRET_KEY,
      publishableKey: STANDIN_PUBLISHABLE_KEY,
      webhookSecret: STANDIN_WEBHOOK_SECRET,
      webhookUrls: [],
      log: (message) => log.push(message),
      ...changes,
    });
  const standin = await open();
  const port = await standin.listen(0);
  onTestFinished(() => standin.close());

  async function asBrowser(method: 'GET' | 'POST', path: string, values: Record<string, string>) {
    const form = new URLSearchParams({ key: STANDIN_PUBLISHABLE_KEY, ...values });
    const url = `http://127.0.0.1:${port}/v1/${path}`;
    const response = await (method === 'GET' ? fetch(`${url}?${form}`) : fetch(url, { method: 'POST', body: form }));
    return { status: response.status, body: await response.json() };
  }

  async function control(method: 'DELETE' | 'GET' | 'POST', path: string, body?: object) {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${STANDIN_SECRET_KEY}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  const confirm = (intent: Stripe.PaymentIntent, values: Record<string, string>) =>
    asBrowser('POST', `payment_intents/${intent.id}/confirm`, { client_secret: intent.client_secret ?? '', ...values });

  return { standin, port, file, log, stripe: sdkAt(port), asBrowser, control, confirm };
}

/** What a webhook brought. */
export interface Received {
  body: string;
  headers: IncomingHttpHeaders;
}

/** A shop's webhook address that answers as told and remembers what came. Closed after the test. */
export async function aReceiver(answer: (received: Received, count: number) => number | Promise<number> = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { body: Buffer.concat(chunks).toString('utf8'), headers: request.headers };
      received.push(one);
      void Promise.resolve(answer(one, received.length)).then((status) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/hook`, received };
}
