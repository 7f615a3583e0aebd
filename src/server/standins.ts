import path from 'node:path';
import type { Config } from './platform/config.ts';
import { StartError } from './platform/start-error.ts';

/** Where the stand-ins of outside services are reached; absent where the service itself is configured. */
export interface StandinUrls {
  readonly stripe?: string | undefined;
  readonly signIn?: string | undefined;
  readonly mailbox?: string | undefined;
  readonly openLibrary?: string | undefined;
}

interface Standin {
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts a stand-in for each outside service that is not configured, or names those that several shops share. */
export const startStandins = async (
  config: Config,
  log: (line: string) => void,
  resources: AsyncDisposableStack,
): Promise<StandinUrls> => {
  const { google, github } = config.social;
  const folder = path.join(config.dataDir, 'standins');
  const start = async (name: string, shared: string, create: () => Promise<Standin>): Promise<string> => {
    if (config.standinsUrl !== undefined) return new URL(shared, config.standinsUrl).href;
    try {
      const standin = await create();
      resources.defer(() => standin.close());
      return `http://127.0.0.1:${await standin.listen(0)}/`;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new StartError(
        `The ${name} stand-in cannot start: ${why} Several shops share one: npm run standins -w lab, then STANDINS_URL.`,
      );
    }
  };
  const startStripe = async (): Promise<Standin> => {
    const { createStripeStandin } = await import('#standins/stripe/standin.ts');
    const keys = await import('#standins/stripe/keys.ts');
    return createStripeStandin({
      file: path.join(folder, 'stripe.sqlite'),
      secretKey: keys.STANDIN_SECRET_KEY,
      publishableKey: keys.STANDIN_PUBLISHABLE_KEY,
      webhookSecret: keys.STANDIN_WEBHOOK_SECRET,
      webhookUrls: [`http://127.0.0.1:${config.port}/api/webhooks/stripe`],
      publicUrl: `${config.publicUrl}/standins/stripe`,
      log,
    });
  };
  const startMailbox = async (): Promise<Standin> => {
    const { createMailboxStandin } = await import('#standins/mailbox/mailbox.ts');
    return createMailboxStandin({ file: path.join(folder, 'mailbox.sqlite'), log });
  };
  const startSignIn = async (): Promise<Standin> => {
    const { createSignInStandin } = await import('#standins/sign-in/standin.ts');
    return createSignInStandin({ origins: [config.publicUrl], log });
  };
  const startOpenLibrary = async (): Promise<Standin> => {
    const { createOpenLibraryStandin } = await import('#standins/open-library/standin.ts');
    return createOpenLibraryStandin({ log });
  };
  const isPlayed = config.mode === 'demo' && (google === undefined || github === undefined);
  return {
    stripe: config.stripe === undefined ? await start('payment', '/', startStripe) : undefined,
    mailbox: config.smtpUrl === undefined ? await start('mailbox', '/mailbox/', startMailbox) : undefined,
    openLibrary:
      config.mode === 'demo' && config.openLibraryContact === undefined
        ? await start('Open Library', '/open-library/', startOpenLibrary)
        : undefined,
    signIn: isPlayed ? await start('sign-in', '/sign-in', startSignIn) : undefined,
  };
};

const TELL_MS = 5_000;

/** Tells the payment stand-in, if there is one, how far the clock of the shop is ahead: its money moves by it. */
export const clockTeller =
  ({ stripe }: StandinUrls) =>
  async (aheadSeconds: number): Promise<void> => {
    if (stripe === undefined) return;
    const { STANDIN_SECRET_KEY } = await import('#standins/stripe/keys.ts');
    const answer = await fetch(new URL('clock', stripe), {
      method: 'POST',
      headers: { Authorization: `Bearer ${STANDIN_SECRET_KEY}` },
      body: JSON.stringify({ aheadSeconds }),
      signal: AbortSignal.timeout(TELL_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the payment stand-in answered ${answer.status}`);
  };
