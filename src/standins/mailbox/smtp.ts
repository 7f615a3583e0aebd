import { randomUUID } from 'node:crypto';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { readMessage } from './message.ts';
import type { MailStore } from './store.ts';

/** Far above any mail of a shop. */
const MAX_MAIL_BYTES = 1024 * 1024;

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const tooLarge = (): Error => Object.assign(new Error('This mail is too large'), { responseCode: 552 });

/** An SMTP server that takes every mail and passes none on. It asks for no name and no password. */
export const createSink = (store: MailStore, log: (message: string) => void): SMTPServer => {
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> => {
    const raw = await bytesOf(stream);
    if (stream.sizeExceeded) throw tooLarge();
    await store.add({
      ...(await readMessage(raw)),
      id: randomUUID(),
      receivedAt: new Date().toISOString(),
      recipients: session.envelope.rcptTo.map(({ address }) => address),
    });
    return 'kept in the mailbox';
  };
  const server = new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'stand-in, no mail leaves this machine',
    size: MAX_MAIL_BYTES,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: callbackify(take),
  });
  server.on('error', (error: Error) => log(`The mailbox stand-in: ${error.message}`));
  return server;
};
