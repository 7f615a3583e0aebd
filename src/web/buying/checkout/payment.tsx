import { useCallback, useState } from 'react';
import { redirectDocument, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listMyBookings, MAX_UNPAID_HOLDS, readBooking, type BookingDetail } from '#contract/bookings/bookings.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { paymentSetup } from '#contract/money/payments.ts';
import type { Api } from '#web/api/client.ts';
import { shopNow } from '#web/api/shop-clock.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import type { Missing } from '#web/shell/data/load.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Checkout } from './checkout.tsx';
import { CopyChanged } from './copy-changed.tsx';
import { NothingToPay, Summary } from './payment-parts.tsx';
import type { Bought } from '#web/buying/delivery/parcel.ts';
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

/**
 * What else the buyer has booked of the same seller and may pay for at once. It is an offer: where it cannot be read,
 * nothing is offered.
 */
const othersOf = async (api: Api, booking: Promise<BookingDetail>, email: string): Promise<BookingDetail[]> => {
  const list = api.call(listMyBookings, { query: { email } }).catch(() => []);
  const [{ _id: id, sellerId }, mine] = await Promise.all([booking, list]);
  const now = shopNow();
  const open = mine.filter(
    (other) =>
      other.sellerId === sellerId && other._id !== id && other.change === null && canBePaid(standingOf(other, now)),
  );
  const most = open.slice(0, MAX_UNPAID_HOLDS - 1);
  return Promise.all(most.map((other) => api.call(readBooking, { params: { id: other._id } }))).catch(() => []);
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, user) => {
      const reading = api.call(readBooking, { params: { id: params['id'] ?? '' } });
      const [booking, setup, others] = await Promise.all([
        reading,
        api.call(paymentSetup, {}),
        othersOf(api, reading, user.email),
      ]);
      if (setup.script === null && !isPaymentDocument()) throw redirectDocument(request.url);
      return { user, booking, setup, others };
    },
    'buyer',
    MISSING,
  );

interface BodyProps {
  booking: BookingDetail;
  others: readonly BookingDetail[];
  user: SessionUser;
  setup: PaymentSetup;
}

const Body = ({ booking: loaded, others, user, setup }: BodyProps) => {
  const [fresh, setFresh] = useState<{ loaded: BookingDetail; booking: BookingDetail }>();
  const booking = fresh?.loaded === loaded ? fresh.booking : loaded;
  const takeFresh = useCallback((read: BookingDetail) => setFresh({ loaded, booking: read }), [loaded]);
  const settlement = useSettlement(booking, takeFresh);
  const { state } = settlement;
  const [bought, setBought] = useState<Bought>();
  const [openedAt] = useState(shopNow);
  const content = () => {
    if (state !== undefined)
      return (
        <SettlementView
          state={state}
          booking={booking}
          bought={bought}
          onRetry={() => settlement.settle(state.transactionId)}
        />
      );
    if (booking.change !== null) return <CopyChanged booking={booking} change={booking.change} />;
    // As loaded: once the form is open, its own answers say what became of the hold.
    if (!canBePaid(standingOf(loaded, openedAt))) return <NothingToPay booking={loaded} />;
    return (
      <Checkout
        booking={loaded}
        newest={booking}
        others={others}
        buyer={{ id: user.uid, name: user.displayName, email: user.email }}
        setup={setup}
        onRead={takeFresh}
        onTaken={(transactionId, paidFor) => {
          setBought(paidFor);
          settlement.settle(transactionId);
        }}
      />
    );
  };
  return (
    <div className="grid gap-4 sm:gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <Summary booking={booking} isPaid={state?.kind === 'recorded'} />
      <div className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">{content()}</div>
    </div>
  );
};

const Payment = () => {
  const { user, booking, setup, others } = useLoaderData<typeof clientLoader>();
  return (
    <>
      <PageHeading title="Payment" />
      <Body key={booking._id} user={user} booking={booking} others={others} setup={setup} />
    </>
  );
};
export default Payment;
