import path from 'node:path';
import { smtpTransport, type MailTransport } from './mail/delivery.service.ts';
import type { Config } from './platform/config.ts';

export interface MailParts {
  readonly transport: MailTransport;
  /** Where the stand-in shows what it took; absent where mail really leaves. */
  readonly mailbox: URL | undefined;
  stop(): Promise<void>;
}

/** The mailbox of a process that several apps share; it is asked where it takes mail each time, as it may have been restarted. */
const sharedMailbox = (at: URL, from: string): MailTransport => {
  let last: { address: string; transport: MailTransport } | undefined;
  const send: MailTransport['send'] = async (mail, signal) => {
    const address = await fetch(new URL('address', at), { signal })
      .then((answer) => answer.text())
      .catch((error: unknown) => {
        throw Object.assign(new Error('the mailbox stand-in does not answer', { cause: error }), {
          code: 'ECONNECTION',
        });
      });
    if (last?.address !== address) last = { address, transport: smtpTransport(address, from) };
    await last.transport.send(mail, signal);
  };
  return { send, isAway: () => last?.transport.isAway?.() === true };
};

/** The server of SMTP_URL, else the mailbox stand-in over the very same protocol. */
export const openMail = async (config: Config, log: (line: string) => void): Promise<MailParts> => {
  if (config.smtpUrl !== undefined) {
    const transport = smtpTransport(config.smtpUrl, config.mailFrom);
    return { transport, mailbox: undefined, stop: async () => {} };
  }
  if (config.standinsUrl !== undefined) {
    const at = new URL('/mailbox/', config.standinsUrl);
    return { transport: sharedMailbox(at, config.mailFrom), mailbox: at, stop: async () => {} };
  }
  const { createMailboxStandin } = await import('#standins/mailbox/mailbox.ts');
  const mailbox = await createMailboxStandin({ file: path.join(config.dataDir, 'standins', 'mailbox.sqlite'), log });
  const port = await mailbox.listen(0);
  return {
    transport: smtpTransport(mailbox.smtpUrl, config.mailFrom),
    mailbox: new URL(`http://127.0.0.1:${port}`),
    stop: () => mailbox.close(),
  };
};
