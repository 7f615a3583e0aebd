// The router's own streaming renderer on the built pages over node:http: no database, no policy, nothing kept. What the
// pages ask of the API is asked of the shop once and then answered from memory.
import { createServer } from 'node:http';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createReadableStreamFromReadable, createRequestListener } from '@react-router/node';
import { createElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { ServerRouter, type EntryContext, type RouterContextProvider, type ServerBuild } from 'react-router';

const shop = process.env['SHOP_URL'] ?? '';

interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  header(name: string): string | null;
}

const kept = new Map<string, Promise<ApiAnswer>>();

const ask = async (place: string): Promise<ApiAnswer> => {
  const answer = await fetch(`${shop}/api${place}`);
  return { status: answer.status, body: await answer.text(), header: (name) => answer.headers.get(name) };
};

/** One answer for each place, whichever page of it was asked for: the tree is the same. */
const api = ({ path: asked }: { path: string }): Promise<ApiAnswer> => {
  const place = asked.split('?', 1)[0] ?? '';
  const answer = kept.get(place) ?? ask(asked);
  kept.set(place, answer);
  return answer;
};

/** As the router's own `entry.server` does it. */
const handleRequest = (request: Request, status: number, headers: Headers, context: EntryContext): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(createElement(ServerRouter, { context, url: request.url }), {
      onShellReady: () => {
        const body = new PassThrough();
        headers.set('content-type', 'text/html');
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        pipe(body);
      },
      onShellError: reject,
    });
  });

interface WebEntry {
  requestContext(given: {
    readonly api: typeof api;
    readonly timeZone: string;
    readonly demo: boolean;
    readonly nonce: undefined;
    readonly report: (error: unknown) => void;
  }): RouterContextProvider;
}

const given = {
  api,
  timeZone: 'America/New_York',
  demo: false,
  nonce: undefined,
  report: (error: unknown) => console.error(error),
};

const file = path.join(import.meta.dirname, '../../../../build/server/index.js');
const built = (await import(pathToFileURL(file).href)) as ServerBuild;
const entry = built.entry.module as unknown as WebEntry;

const listener = createRequestListener({
  build: { ...built, entry: { module: { ...built.entry.module, default: handleRequest } } },
  mode: 'production',
  getLoadContext: () => entry.requestContext(given),
});

const server = createServer((request, response) => void listener(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`PORT=${typeof address === 'object' ? address?.port : 0}`);
});
