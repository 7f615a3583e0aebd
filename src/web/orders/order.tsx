import { useCallback, useEffect, useRef } from 'react';
import {
  Link,
  useLoaderData,
  useLocation,
  useRevalidator,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import type { Message } from '#contract/messages/messages.ts';
import { listNotes } from '#contract/messages/notes.ts';
import { readOrder, type Order } from '#contract/orders/orders.ts';
import { readOrderReviews, type OrderReviews as Reviews } from '#contract/orders/reviews.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import type { Missing } from '#web/shell/data/load.ts';
import { SellerLink } from '#web/shell/data/seller-link.tsx';
import { Time } from '#web/shell/data/time.tsx';
import type { Page } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { keepCode } from './kept-code.ts';
import { NextStep } from './next-step.tsx';
import { Notes } from './notes.tsx';
import { Books, Problem, Reach, SendBack, Timeline } from './order-parts.tsx';
import { hasSlip, PackingSlip } from './packing-slip.tsx';
import { OrderReviews } from './reviews/order-reviews.tsx';
import { headingOf } from './standing.ts';
import { useMove } from './use-move.ts';

export const meta: MetaFunction = () => pageMeta('Order');

const MISSING: Missing = {
  message: 'There is no such order of yours. It may have been made with another account.',
  next: { to: '/dashboard', label: 'Your dashboard' },
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) => {
  const id = params['id'] ?? '';
  // Before anybody is sent to sign in, who comes back without it.
  keepCode(id, location.hash);
  return loadSignedIn(
    request,
    async (api) => {
      const [order, notes, reviews] = await Promise.all([
        api.call(readOrder, { params: { id } }),
        api.callPage(listNotes, { params: { id }, query: {} }),
        api.call(readOrderReviews, { params: { id } }),
      ]);
      return { order, notes, reviews };
    },
    undefined,
    MISSING,
  );
};

const LISTS = {
  buyer: { to: '/dashboard/my_orders', label: 'My Orders' },
  seller: { to: '/dashboard/my_buyers', label: 'My Buyers' },
  admin: { to: '/dashboard/money', label: 'Money' },
} as const;

const Parties = ({ order: { side, buyer, seller, sellerSlug } }: { order: Order }) => {
  const from = <SellerLink name={seller} slug={sellerSlug} />;
  if (side === 'seller') return <>Sold to {buyer}</>;
  return side === 'buyer' ? (
    <>Bought from {from}</>
  ) : (
    <>
      {from} to {buyer}
    </>
  );
};

const LOOK_AGAIN_MS = 10_000;

/** Whoever shows their code sees that it was taken. */
const useWatch = ({ _id: id, state, code }: Order): void => {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (code === '') return undefined;
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      const order = await call(readOrder, { params: { id } }).catch(() => undefined);
      if (order !== undefined && order.state !== state) await revalidate();
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [id, state, code, revalidate]);
};

interface Loaded {
  order: Order;
  notes: Page<Message>;
  reviews: Reviews;
}

const OrderView = ({ order, notes, reviews }: Loaded) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const toHeading = useCallback(() => heading.current?.focus(), []);
  const { make, refusal } = useMove(order._id, toHeading);
  const { to, label } = LISTS[order.side];
  useWatch(order);
  return (
    <>
      <div className={hasSlip(order) ? 'print:hidden' : undefined}>
        <Link to={to} className="inline-block py-2.5 text-link print:hidden">
          {label}
        </Link>
        <div className="mb-6">
          <h1 ref={heading} tabIndex={-1} className="font-serif text-3xl font-semibold">
            {headingOf(order)}
          </h1>
          <p className="mt-1 break-words text-muted">
            <Parties order={order} /> · paid on <Time at={order.paidAt} as="date" />
          </p>
        </div>
        <div className="flex flex-col gap-6">
          {refusal !== undefined && (
            <Notice tone="error" title="This was not done">
              {refusal}
            </Notice>
          )}
          <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex min-w-0 flex-col gap-6">
              <NextStep key={`${order.state} ${order.side}`} order={order} make={make} />
              <SendBack order={order} />
              <Problem order={order} />
              <Reach order={order} />
              {hasSlip(order) && (
                <Button look="secondary" className="self-start" onClick={() => print()}>
                  Print packing slip
                </Button>
              )}
              <Books order={order} />
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <OrderReviews order={order} reviews={reviews} />
              <Notes order={order} first={notes} />
              <Timeline order={order} />
            </div>
          </div>
          <p className="text-sm break-words text-muted">
            Order number <span className="font-mono break-all">{order._id}</span>
          </p>
        </div>
      </div>
      {hasSlip(order) && <PackingSlip order={order} />}
    </>
  );
};

const OrderPage = () => {
  const { order, notes, reviews } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  // A step from another page of the shop: the loader ran while the address was still the old one.
  keepCode(order._id, useLocation().hash);
  return <OrderView key={order._id} order={order} notes={notes} reviews={reviews} />;
};
export default OrderPage;
