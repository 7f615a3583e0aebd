import type { Transporter } from 'nodemailer';
import { createBreaker, CircuitOpen } from '#server/platform/breaker.ts';

/** R3: a server that keeps silent this long is given up. */
const SILENCE_LIMIT_MS = 10_000;

export interface OutgoingMail {
  readonly messageId: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where a mail program ends mails of this kind with one click (RFC 8058); absent where they are always sent. */
  readonly unsubscribe?: { readonly oneClick: string } | undefined;
}

/** How mail leaves: over SMTP, to whichever server. */
export interface MailTransport {
  /** Resolves once the server has taken the mail for good; rejects when it has not, or nobody knows. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  /** Whether the server failed so often that no mail need be tried now. */
  isAway?(): boolean;
}

/**
 * - `refused`: the server will never take this mail (5xx for the recipient or the message)
 * - `unreachable`: no mail can leave now, this one or another
 * - `failed`: anything else; trying again may help
 */
export type Failure = 'refused' | 'unreachable' | 'failed';

const codesOf = (error: unknown): { code: string; status: number } => {
  const { code, responseCode } = (error instanceof Error ? error : {}) as { code?: unknown; responseCode?: unknown };
  return { code: typeof code === 'string' ? code : '', status: typeof responseCode === 'number' ? responseCode : 0 };
};

/** What a failed `send` means for the mail and for the ones behind it. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof CircuitOpen) return 'unreachable';
  const { code, status } = codesOf(error);
  if (/^(EENVELOPE|EMESSAGE)$/.test(code)) return status >= 500 ? 'refused' : 'failed';
  if (/^(EDNS|ECONNECTION|ESOCKET|ETIMEDOUT|ETLS|EAUTH|EREQUIRETLS|ECONNREFUSED|ENOAUTH|EPROTOCOL)$/.test(code))
    return 'unreachable';
  return 'failed';
};

const isOnThisMachine = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Mail over the SMTP server of `url`, from `from`. To any other machine the connection must be encrypted, unless the
 * address says `?requireTLS=false`; nodemailer's other options may stand in its query too.
 */
export const smtpTransport = (url: string, from: string): MailTransport => {
  const options = {
    url,
    requireTLS: !isOnThisMachine(new URL(url).hostname),
    connectionTimeout: SILENCE_LIMIT_MS,
    greetingTimeout: SILENCE_LIMIT_MS,
    socketTimeout: SILENCE_LIMIT_MS,
    dnsTimeout: SILENCE_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Loaded with the first mail: a shop is open before somebody is written to.
  let opening: Promise<Transporter> | undefined;
  const opened = (): Promise<Transporter> =>
    (opening ??= import('nodemailer').then(({ createTransport }) => createTransport(options)));
  const breaker = createBreaker({ dependency: 'smtp', isFailure: (error) => failureOf(error) === 'unreachable' });
  return {
    send: async ({ unsubscribe, ...mail }, signal) => {
      const transport = await opened();
      await breaker.call(() =>
        transport.sendMail({
          ...mail,
          from: { name: 'Dogear', address: from },
          headers: {
            // No autoresponder shall answer a machine (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe && {
              'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal,
        }),
      );
    },
    isAway: () => breaker.isOpen(),
  };
};
