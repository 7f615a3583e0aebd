import type { Registration } from './identity/social/provider.ts';
import type { SocialSetup } from './identity/social/providers.ts';
import { smtpTransport, type MailTransport } from './mail/delivery.service.ts';
import { createProvider } from './payments/create-provider.ts';
import type { PaymentProvider } from './payments/stripe-provider.ts';
import type { PaymentSetup } from './payments/intents/payment.routes.ts';
import type { Config, GithubConfig, GoogleConfig } from './platform/config.ts';

const STRIPE_SCRIPT = '/standins/stripe/stripe.js';
export const SIGN_IN_PREFIX = '/standins/sign-in';

export interface Payments {
  readonly provider: PaymentProvider;
  readonly setup: PaymentSetup;
}

/** Stripe where it is configured, else its stand-in, driven by the very same code. */
export const openPayments = async (config: Config, standin: string | undefined): Promise<Payments> => {
  if (config.stripe !== undefined) {
    const { secretKey, publishableKey, webhookSecret } = config.stripe;
    const connectWebhookSecrets = config.stripeConnectSecrets;
    return {
      provider: createProvider({ secretKey, webhookSecret, connectWebhookSecrets }),
      setup: { publishableKey, script: null, test: publishableKey.startsWith('pk_test_') },
    };
  }
  const keys = await import('#standins/stripe/keys.ts');
  const { hostname: host, port } = new URL(standin ?? '');
  return {
    provider: createProvider({
      secretKey: keys.STANDIN_SECRET_KEY,
      webhookSecret: keys.STANDIN_WEBHOOK_SECRET,
      connectWebhookSecrets: [keys.STANDIN_CONNECT_WEBHOOK_SECRET],
      at: { host, port: Number(port), protocol: 'http' },
    }),
    setup: { publishableKey: keys.STANDIN_PUBLISHABLE_KEY, script: STRIPE_SCRIPT, test: true },
  };
};

/**
 * The services people sign in with as configured; in a demo the stand-in plays those that are not, in production they
 * stay closed.
 */
export const openSocial = async (
  config: Config,
  standin: string | undefined,
  timeoutSeconds?: number,
): Promise<SocialSetup> => {
  const real = <C>(registered: C | undefined): Registration<C> | undefined =>
    registered && { config: registered, timeoutSeconds };
  const google = real(config.social.google);
  const github = real(config.social.github);
  if (standin === undefined) return { google, github };
  const keys = await import('#standins/sign-in/keys.ts');
  const registered = { clientId: keys.STANDIN_CLIENT_ID, clientSecret: keys.STANDIN_CLIENT_SECRET };
  const played = <C>(name: string, registration: C): Registration<C> => ({
    config: registration,
    reach: {
      server: new URL(`${standin.replace(/\/$/, '')}/${name}`),
      browser: `${config.publicUrl}${SIGN_IN_PREFIX}/${name}`,
    },
    timeoutSeconds,
  });
  const { GOOGLE_STANDIN: issuer, GITHUB_STANDIN: url, GITHUB_STANDIN_API: apiUrl } = keys;
  return {
    google: google ?? played<GoogleConfig>('google', { ...registered, issuer }),
    github: github ?? played<GithubConfig>('github', { ...registered, url, apiUrl }),
  };
};

/**
 * The server of SMTP_URL, else the mailbox stand-in over the same protocol, which is asked where it takes mail, as it
 * may have been restarted.
 */
export const openMail = (config: Config, mailbox: string | undefined): MailTransport => {
  if (mailbox === undefined) return smtpTransport(config.smtpUrl ?? '', config.mailFrom);
  let last: { address: string; transport: MailTransport } | undefined;
  return {
    send: async (mail, signal) => {
      const address = await fetch(new URL('address', mailbox), { signal })
        .then((answer) => answer.text())
        .catch((error: unknown) => {
          const message = 'the mailbox stand-in does not answer';
          throw Object.assign(new Error(message, { cause: error }), { code: 'ECONNECTION' });
        });
      if (last?.address !== address) last = { address, transport: smtpTransport(address, config.mailFrom) };
      await last.transport.send(mail, signal);
    },
    isAway: () => last?.transport.isAway?.() === true,
  };
};
