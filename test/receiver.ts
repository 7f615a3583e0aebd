// A program's own server, on an address of this machine that the tests alone declare to be of the internet.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { OutsideRules } from '#server/platform/outside/request-outside.ts';

const OUTSIDE = '127.0.0.2';
const HOST = 'pictures.example';
const pem = (name: string): string => readFileSync(path.join(import.meta.dirname, 'tls', name), 'utf8');

export interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly rules: OutsideRules;
  /** What arrived, the oldest first. */
  readonly told: Told[];
  /** Answers what arrives; 204 unless it is replaced. */
  answer: (response: ServerResponse, told: Told) => void;
  close: () => void;
}

/** Opens a server that is told of events. */
export const openReceiver = async (): Promise<Receiver> => {
  const server = createServer({ key: pem('key.pem'), cert: pem('cert.pem') }, async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const told = { headers: request.headers, body };
    receiver.told.push(told);
    receiver.answer(response, told);
  });
  server.listen(0, OUTSIDE);
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const receiver: Receiver = {
    url: `https://${HOST}:${port}/told`,
    rules: {
      ca: pem('cert.pem'),
      isPort: (given) => given === port,
      isAllowed: (address) => address === OUTSIDE,
      resolve: (host) => Promise.resolve([{ address: host === HOST ? OUTSIDE : '127.0.0.1', family: 4 }]),
    },
    told: [],
    answer: (response) => void response.writeHead(204).end(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
};
