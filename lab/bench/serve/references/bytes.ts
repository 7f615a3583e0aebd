// Bare node:http that sends what it is given, and a bare socket that does the same: what is the most that can be had
// here.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';

interface Answer {
  readonly path: string;
  /** Names and values in turn; what node:http adds by itself is not among them. */
  readonly headers: string[];
  readonly body: string;
}

const answers = JSON.parse(readFileSync(process.env['BYTES_FILE'] ?? '', 'utf8')) as Answer[];
const byPath = new Map(
  answers.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body, 'base64') }]),
);

const server = createServer((request, response) => {
  const answer = byPath.get(request.url ?? '');
  if (answer === undefined) return void response.writeHead(404).end();
  response.writeHead(200, answer.headers);
  response.end(answer.body);
});

const [first] = byPath.values();
const canned = Buffer.concat([
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${first?.body.length ?? 0}\r\n\r\n`),
  first?.body ?? Buffer.alloc(0),
]);
/** Takes every piece that arrives for a request: who asks waits for each answer. */
const socketServer = createSocketServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write(canned));
});

const portOf = (address: unknown): number =>
  typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0;

server.listen(0, '127.0.0.1', () => {
  socketServer.listen(0, '127.0.0.1', () => {
    console.log(`PORT=${portOf(server.address())} SOCKET=${portOf(socketServer.address())}`);
  });
});
