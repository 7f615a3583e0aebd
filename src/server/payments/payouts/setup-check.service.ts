import type { SetupCheck, SetupFinding } from '#contract/money/setup-check.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import type { OwnPayouts } from '#server/payments/connect/connect.ts';
import { ProviderRefused } from '#server/payments/provider.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import type { PayoutDeps } from './payout-account.service.ts';

const DAY_MS = 86_400_000;
/** The account that is tried is nobody's: by this name in the place of a user's id it is never taken for a seller's. */
const NOBODY = 'setup-check';
const COUNTRY = 'US';

type Found = Omit<SetupFinding, 'what' | 'words'>;

/** Asks the provider for something; what it will not do is a finding, with its words. */
const tried = async <T>(what: string, ask: () => Promise<T>, found: (answer: T) => Found, refused: string) => {
  try {
    return { what, words: '', ...found(await ask()) };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return { what, state: 'refused' as const, says: refused, words: error.message };
  }
};

const ownPayoutsFound = ({ isManual, minimumCents }: OwnPayouts): Found => {
  if (isManual) return { state: 'ok', says: 'Stripe pays the shop’s balance out only when you ask for it.' };
  if (minimumCents > 0) {
    const amount = formatDollars(dollarsOf(minimumCents));
    return { state: 'ok', says: `Stripe leaves ${amount} in the shop’s balance, for refunds and for sellers.` };
  }
  return {
    state: 'advice',
    says: 'Stripe pays the shop’s balance out to your own bank by itself. Refunds and sellers’ money may wait then: choose manual payouts at Stripe, or a minimum balance that stays there.',
  };
};

/**
 * Tries what paying sellers needs of the provider, for an admin: an account like a seller's, its page that asks for
 * details, and whether the shop's own payouts leave enough. 502 where the provider does not answer.
 */
export const checkSetup = async (deps: PayoutDeps, viewer: Viewer): Promise<SetupCheck> => {
  requireAdmin(viewer);
  const { connect } = deps.provider;
  const now = new Date();
  const n = Math.floor(now.getTime() / DAY_MS);
  const { hostname } = new URL(deps.publicUrl);
  const payee = { userId: NOBODY, n, email: `${NOBODY}@${hostname}`, name: 'Setup check, nobody’s', country: COUNTRY };
  let accountId = '';
  const findings: SetupFinding[] = [
    await tried(
      'Accounts for sellers',
      () => connect.createPayee(payee),
      ({ id }) => {
        accountId = id;
        return {
          state: 'ok',
          says: `Stripe makes accounts for sellers. It made ${id} to try, which nobody is paid by.`,
        };
      },
      'Stripe makes no accounts for sellers. Switch Connect on there, with the Express dashboard; in the US Stripe must also approve of paying people who take no cards themselves.',
    ),
  ];
  if (accountId !== '') {
    const page = new URL('/dashboard/payouts', deps.publicUrl).href;
    findings.push(
      await tried(
        'Its page for their details',
        () => connect.onboardingLink(accountId, { refreshUrl: page, returnUrl: page }),
        () => ({ state: 'ok', says: 'Stripe asks sellers for their details on a page of its own.' }),
        'Stripe does not open the page on which it asks sellers for their details.',
      ),
    );
  }
  findings.push(
    await tried(
      'The shop’s own payouts',
      () => connect.ownPayouts(),
      ownPayoutsFound,
      'Stripe does not say when it pays the shop’s own balance out. See to it that manual payouts, or a minimum balance, are chosen there.',
    ),
  );
  if (deps.payouts.way !== 'connect') {
    const says = 'PAYOUTS is not connect: whatever Stripe would do, sellers are not paid through it now.';
    findings.push({ what: 'The shop’s setting', state: 'advice', says, words: '' });
  }
  return { checkedAt: now.toISOString(), findings };
};
