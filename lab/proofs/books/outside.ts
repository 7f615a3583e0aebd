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

export const readOutside = async ({ provider, mailbox }: Pick<Stage, 'mailbox' | 'provider'>): Promise<Outside> => {
  const mails = (await (await fetch(`${mailbox}/mails`)).json()) as Delivery[];
  return { provider: await provider.readBooks(), deliveries: mails.toReversed() };
};
