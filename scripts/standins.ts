import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeServer } from '#standins/close-server.ts';
import { createMailboxStandin } from '#standins/mailbox/mailbox.ts';
import { createOpenLibraryStandin } from '#standins/open-library/standin.ts';
import { createSignInStandin } from '#standins/sign-in/standin.ts';
import {
  STANDIN_PORT,
  STANDIN_PUBLISHABLE_KEY,
  STANDIN_SECRET_KEY,
  STANDIN_WEBHOOK_SECRET,
} from '#standins/stripe/keys.ts';
import { createStripeStandin } from '#standins/stripe/standin.ts';

const USAGE = `npm run standins -w lab -- [--port N] [--file PATH] [--webhook URL]... [--mails N]

Runs the stand-ins as a process of its own, which several apps can share and which outlives them: Stripe's at /,
Google's and Github's at /sign-in/, Open Library's at /open-library/, the mailbox at /mailbox/ (it takes mail by SMTP on a free port, which the apps learn
from it).

  --port N        port on 127.0.0.1 (STANDINS_PORT, default ${STANDIN_PORT}; 0 picks a free one)
  --file PATH     where Stripe's keeps its state, the others beside it (default standins/stripe.sqlite in DATA_DIR,
                  itself ./data by default)
  --mails N       how many of the newest mails the mailbox keeps (default 500)
  --webhook URL   where it posts events, may be given several times (default http://127.0.0.1:3000/api/webhooks/stripe)
`;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string' },
        file: { type: 'string' },
        webhook: { type: 'string', multiple: true },
        mails: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

const options = readOptions();
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const portText = options.port ?? (process.env['STANDINS_PORT'] || undefined) ?? String(STANDIN_PORT);
if (!/^\d{1,5}$/.test(portText) || Number(portText) > 65_535)
  fail(`"${portText}" is no port: give a number up to 65535.`);
const mailsText = options.mails ?? '500';
if (!/^[1-9]\d{0,5}$/.test(mailsText)) fail(`"${mailsText}" is no number of mails: give one from 1 to 999999.`);
const webhookUrls = options.webhook ?? ['http://127.0.0.1:3000/api/webhooks/stripe'];
for (const url of webhookUrls) {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) fail(`"${url}" is no http address for webhooks.`);
}
const file = resolve(options.file ?? `${process.env['DATA_DIR'] || './data'}/standins/stripe.sqlite`);

const log = (message: string): void => void process.stderr.write(`${message}\n`);
const standin = await createStripeStandin({
  file,
  secretKey: STANDIN_SECRET_KEY,
  publishableKey: STANDIN_PUBLISHABLE_KEY,
  webhookSecret: STANDIN_WEBHOOK_SECRET,
  webhookUrls,
  log,
}).catch((error: Error) => fail(`The Stripe stand-in cannot start: ${error.message}`));
const mailbox = await createMailboxStandin({
  file: join(dirname(file), 'mailbox.sqlite'),
  mostKept: Number(mailsText),
  log,
}).catch(async (error: Error) => {
  await standin.close();
  fail(`The mailbox stand-in cannot start: ${error.message}`);
});

const signIn = createSignInStandin({ log });
const openLibrary = createOpenLibraryStandin({ log });

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Each stand-in below its path; Stripe's has the rest. */
const BELOW: readonly (readonly [base: string, handler: Handler])[] = [
  ['/mailbox', mailbox.handler],
  ['/sign-in', signIn.handler],
  ['/open-library', openLibrary.handler],
];

/** Hands a request to the stand-in of its path, without that path, as the shop's own proxy does. */
const dispatch: Handler = (request, response) => {
  const url = request.url ?? '/';
  const below = BELOW.find(([base]) => url === base || url.startsWith(`${base}/`));
  if (below === undefined) return standin.handler(request, response);
  const [base, handler] = below;
  request.headers['x-forwarded-prefix'] ??= base;
  request.url = url.slice(base.length) || '/';
  return handler(request, response);
};

// Longer than the SDK's agent keeps a connection idle, so that it is not us who close one it is about to use.
const server = createServer({ keepAliveTimeout: 65_000 }, dispatch);
const closeAll = async (): Promise<void> => {
  if (server.listening) await closeServer(server);
  await Promise.all([standin.close(), mailbox.close(), signIn.close(), openLibrary.close()]);
};
const port = await new Promise<number>((listening, refused) => {
  server.once('error', refused);
  server.listen(Number(portText), '127.0.0.1', () => {
    const address = server.address();
    listening(typeof address === 'object' && address !== null ? address.port : Number(portText));
  });
}).catch(async (error: NodeJS.ErrnoException) => {
  await closeAll();
  const inUse = `Port ${portText} is in use. Give another one with --port or STANDINS_PORT.`;
  fail(error.code === 'EADDRINUSE' ? inUse : `Cannot listen on port ${portText}: ${error.message}`);
});

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await closeAll();
  process.exit(0);
}
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

process.stdout.write(`The stand-ins are at http://127.0.0.1:${port}
  Stripe     http://127.0.0.1:${port}/  ${file}
  webhooks   ${webhookUrls.join(', ')}
  mailbox    http://127.0.0.1:${port}/mailbox/  ${mailbox.smtpUrl}
  sign-in    http://127.0.0.1:${port}/sign-in/
  books      http://127.0.0.1:${port}/open-library/
Start the apps with STANDINS_URL=http://127.0.0.1:${port}
`);
