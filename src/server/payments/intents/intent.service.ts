import { crashPoint } from '#server/platform/crash-points.ts';
import { moveIntent, saveProviderId, type Intent } from './intent.queries.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderFailed, type IntentFacts } from '#server/payments/provider.ts';

/** An intent that is written down, and the address its booking was made with. */
export type WrittenIntent = Pick<
  Intent,
  'bookingId' | 'checkoutId' | 'n' | 'amountCents' | 'providerId' | 'isProcessing' | 'writtenAt'
> & {
  readonly email: string;
};

type Deps = Pick<PaymentDeps, 'db' | 'provider'>;

/**
 * What became of an intent where the provider broke off: it may be there. If it is not, its key is spent (the provider
 * repeats its failure to it), and as nobody ever had its secret the next number may be used.
 */
const lookForMade = async (deps: Deps, intent: WrittenIntent, failure: ProviderFailed): Promise<IntentFacts> => {
  const made = await deps.provider.findMadeIntent(intent);
  if (made !== undefined) return made;
  await moveIntent(deps.db, intent, 'cancelled');
  throw failure;
};

/** Makes an intent at the provider with its durable key and writes its id down; repeated, it is the same one. */
const makeIntent = async (deps: Deps, intent: WrittenIntent): Promise<IntentFacts> => {
  crashPoint('pi-before-create');
  const made = await deps.provider.createIntent(intent).catch((error: unknown) => {
    if (error instanceof ProviderFailed) return lookForMade(deps, intent, error);
    throw error;
  });
  crashPoint('pi-created');
  await saveProviderId(deps.db, intent, made.id);
  return made;
};

/** What the provider says of an intent whose row exists: looked up, or made with its durable key. */
export const askFor = async (deps: Deps, intent: WrittenIntent): Promise<IntentFacts> => {
  const known = intent.providerId === null ? undefined : await deps.provider.findIntent(intent.providerId);
  return known ?? makeIntent(deps, intent);
};

/**
 * Cancels an intent at the provider and answers what it is afterwards. One whose creation was never answered is asked
 * for again by its durable key to learn its id; money that is on its way cannot be called back and is left to arrive.
 */
export const cancelIntent = async (deps: Deps, intent: WrittenIntent): Promise<IntentFacts> => {
  if (intent.providerId === null || intent.isProcessing) {
    const facts = await askFor(deps, intent);
    return facts.status === 'processing' ? facts : deps.provider.cancelIntent(facts.id);
  }
  return deps.provider.cancelIntent(intent.providerId);
};
