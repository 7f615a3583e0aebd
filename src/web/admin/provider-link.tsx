import type { paymentSetup } from '#contract/money/payments.ts';
import type { Answer } from '#contract/endpoint.ts';

/** Where payments are looked at in Stripe's own dashboard; undefined with the stand-in, which has none. */
export type ProviderPlace = string | undefined;

export const providerOf = ({ script, test }: Answer<typeof paymentSetup>): ProviderPlace =>
  script === null ? `https://dashboard.stripe.com/${test ? 'test/' : ''}payments/` : undefined;

/** The provider's id of a payment, as a link to it where there is something to see. */
export const ProviderLink = ({ at, id }: { at: ProviderPlace; id: string }) =>
  at === undefined ? (
    <code className="text-xs break-all text-muted">{id}</code>
  ) : (
    <a href={`${at}${encodeURIComponent(id)}`} className="text-link text-xs break-all" rel="noreferrer" target="_blank">
      <code>{id}</code>
      <span className="sr-only"> at Stripe, in a new tab</span>
    </a>
  );
