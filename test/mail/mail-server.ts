import { once } from 'node:events';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { readMessage, type Message } from '#standins/mailbox/message.ts';

/** A mail as a server of the outside world got it. */
export interface ArrivedMail extends Message {
  readonly raw: string;
  readonly recipients: readonly string[];
}

export interface TestMailServer {
  readonly url: string;
  readonly port: number;
  readonly arrived: ArrivedMail[];
  close(): Promise<void>;
}

const refusal = (status: number): Error => Object.assign(new Error('not here'), { responseCode: status });

/**
 * A mail server that is not ours on a free port. Recipients whose address begins with three digits are answered with
 * that status; `hold` is waited for before a mail is acknowledged.
 */
export const aMailServer = async (options: { hold?: () => Promise<void> } = {}): Promise<TestMailServer> => {
  const arrived: ArrivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => {
      const status = /^\d{3}/.exec(address)?.[0];
      callback(status === undefined ? null : refusal(Number(status)));
    },
    onData: callbackify(async (stream: AsyncIterable<Buffer>, session: SMTPServerSession): Promise<string> => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const raw = Buffer.concat(chunks);
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      arrived.push({ ...(await readMessage(raw)), raw: raw.toString('utf8'), recipients });
      await options.hold?.();
      return 'taken';
    }),
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    arrived,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
