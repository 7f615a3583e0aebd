import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  STANDIN_PORT,
  STANDIN_PUBLISHABLE_KEY,
  STANDIN_SECRET_KEY,
  STANDIN_WEBHOOK_SECRET,
} from '#standins/stripe/keys.ts';
import { createStripeStandin } from '#standins/stripe/standin.ts';

const USAGE = `npm run standins -- [--port N] [--file PATH] [--webhook URL]...

Runs the stand-in for Stripe as a process of its own, which several apps can share and which outlives them.

  --port N        port on 127.0.0.1 (STANDINS_PORT, default ${STANDIN_PORT}; 0 picks a free one)
  --file PATH     where it keeps its state (default standins/stripe.jsonl in DATA_DIR, itself ./data by default)
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
const webhookUrls = options.webhook ?? ['http://127.0.0.1:3000/api/webhooks/stripe'];
for (const url of webhookUrls) {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) fail(`"${url}" is no http address for webhooks.`);
}
const file = resolve(options.file ?? `${process.env['DATA_DIR'] || './data'}/standins/stripe.jsonl`);

const standin = await createStripeStandin({
  file,
  secretKey: STANDIN_SECRET_KEY,
  publishableKey: STANDIN_PUBLISHABLE_KEY,
  webhookSecret: STANDIN_WEBHOOK_SECRET,
  webhookUrls,
  log: (message) => process.stderr.write(`${message}\n`),
}).catch((error: Error) => fail(`The Stripe stand-in cannot start: ${error.message}`));
const port = await standin.listen(Number(portText)).catch(async (error: NodeJS.ErrnoException) => {
  await standin.close();
  const inUse = `Port ${portText} is in use. Give another one with --port or STANDINS_PORT.`;
  fail(error.code === 'EADDRINUSE' ? inUse : `Cannot listen on port ${portText}: ${error.message}`);
});

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await standin.close();
  process.exit(0);
}
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

process.stdout.write(`The stand-in for Stripe is at http://127.0.0.1:${port}
  state      ${file}
  webhooks   ${webhookUrls.join(', ')}
Start the apps with STANDINS_URL=http://127.0.0.1:${port}
`);
