import { useCallback, useState } from 'react';
import { redirectDocument, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { readBooking, type Booking } from '#contract/bookings/bookings.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { paymentSetup } from '#contract/money/payments.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import type { Missing } from '#web/shell/data/load.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Checkout } from './checkout.tsx';
import { CopyChanged } from './copy-changed.tsx';
import { NothingToPay, Summary, TestBanner } from './payment-parts.tsx';
import type { PaymentSetup } from './provider.ts';
import { SettlementView } from './settlement-view.tsx';
import { canBePaid, standingOf } from '#web/buying/orders/standing.ts';
import { useSettlement } from './use-settlement.ts';

export const meta: MetaFunction = () => pageMeta('Payment');

const MISSING: Missing = {
  message: 'There is no such booking of yours. It may have been made with another account.',
  next: { to: '/dashboard/my_orders', label: 'My Orders' },
};

/**
 * Whether the document on show was fetched as a payment page: only those are allowed to load the provider's own script.
 */
const isPaymentDocument = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation');
  return entry === undefined || new URL(entry.name).pathname.startsWith('/dashboard/payment/');
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, user) => {
      const [booking, setup] = await Promise.all([
        api.call(readBooking, { params: { id: params['id'] ?? '' } }),
        api.call(paymentSetup, {}),
      ]);
      if (setup.script === null && !isPaymentDocument()) throw redirectDocument(request.url);
      return { user, booking, setup };
    },
    'buyer',
    MISSING,
  );

interface BodyProps {
  booking: Booking;
  user: SessionUser;
  setup: PaymentSetup;
}

const Body = ({ booking: loaded, user, setup }: BodyProps) => {
  const [fresh, setFresh] = useState<{ loaded: Booking; booking: Booking }>();
  const booking = fresh?.loaded === loaded ? fresh.booking : loaded;
  const takeFresh = useCallback((read: Booking) => setFresh({ loaded, booking: read }), [loaded]);
  const settlement = useSettlement(booking, takeFresh);
  const { state } = settlement;
  const [openedAt] = useState(() => new Date());
  const content = () => {
    if (state !== undefined)
      return <SettlementView state={state} booking={booking} onRetry={() => settlement.settle(state.transactionId)} />;
    if (booking.change !== null) return <CopyChanged booking={booking} change={booking.change} />;
    // As loaded: once the form is open, its own answers say what became of the hold.
    if (!canBePaid(standingOf(loaded, openedAt))) return <NothingToPay booking={loaded} />;
    return (
      <Checkout
        booking={loaded}
        newest={booking}
        billing={{ name: user.displayName, email: user.email }}
        setup={setup}
        onRead={takeFresh}
        onTaken={settlement.settle}
      />
    );
  };
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <Summary booking={booking} isPaid={state?.kind === 'recorded'} />
      <div className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">{content()}</div>
    </div>
  );
};

const Payment = () => {
  const { user, booking, setup } = useLoaderData<typeof clientLoader>();
  return (
    <>
      <PageHeading title="Payment">Pay by card; then the book is yours.</PageHeading>
      {setup.test && <TestBanner />}
      <Body key={booking._id} user={user} booking={booking} setup={setup} />
    </>
  );
};
export default Payment;
