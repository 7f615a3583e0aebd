import { readFileSync } from 'node:fs';
import type { ProviderBooks } from '#lab/proofs/crowd/provider.ts';
import type { Stage } from '#lab/proofs/stage.ts';

/** A mail that arrived, as often as it did. */
export interface Delivery {
  readonly id: string;
  readonly messageId: string;
  readonly recipients: readonly string[];
  /** ISO 8601, by the mailbox's clock, which is this machine's */
  readonly receivedAt: string;
}

/** What those outside of the shop know of it. */
export interface Outside {
  readonly provider: ProviderBooks;
  readonly deliveries: readonly Delivery[];
}

const readDeliveries = (file: string): Delivery[] => {
  const lines = readFileSync(file, 'utf8').split('\n');
  // What stands after the last line break is empty, or being written and not acknowledged.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Delivery);
};

export const readOutside = async ({
  provider,
  mailboxFile,
}: Pick<Stage, 'mailboxFile' | 'provider'>): Promise<Outside> => ({
  provider: await provider.readBooks(),
  deliveries: readDeliveries(mailboxFile),
});
