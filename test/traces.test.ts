import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openShop } from './e2e/shop.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Sent {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly SentSpan[] }[] }[];
}

/** What an OTLP receiver is sent, as JSON. */
const receive = async () => {
  const spans: SentSpan[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      for (const { scopeSpans } of (body as Sent).resourceSpans) for (const one of scopeSpans) spans.push(...one.spans);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

test('a request, what it asks the database and an outside service are told as one trace, by route and without values', async () => {
  const receiver = await receive();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  const shop = await openShop({ env });
  const [traceId, callerId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const headers = { traceparent: `00-${traceId}-${callerId}-01` };
  await fetch(`${shop.url}/api/search?q=secret-wish`, { headers });
  // Google's addresses are asked for when somebody first wants to go there.
  await fetch(`${shop.url}/api/auth/google`, { headers, redirect: 'manual' });
  const named = (name: string): SentSpan | undefined =>
    receiver.spans.find((span) => span.traceId === traceId && span.name === name);
  await expect.poll(() => named('google')).toBeDefined();
  const search = named('GET /api/search');
  expect(search?.parentSpanId).toBe(callerId);
  expect(search?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
  const statements = receiver.spans.filter(({ parentSpanId }) => parentSpanId === search?.spanId);
  expect(statements.map(({ name }) => name)).toContain('SELECT');
  expect(named('google')?.parentSpanId).toBe(named('GET /api/auth/google')?.spanId);
  expect(JSON.stringify(receiver.spans)).not.toContain('secret-wish');
  await shop.close();
  receiver.close();
});
