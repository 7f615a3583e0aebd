import { addressLines } from '#contract/delivery/address.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Time } from '#web/shell/data/time.tsx';

/** Whether there is something to put into a parcel. */
export const hasSlip = ({ side, delivery, address, state, frozen }: Order): boolean =>
  side === 'seller' && !frozen && delivery === 'post' && address !== null && (state === 'paid' || state === 'posted');

/** What goes into the parcel: on paper alone, and then nothing else of the page is. */
export const PackingSlip = ({ order }: { order: Order }) => (
  <article className="hidden text-black print:block" aria-label="Packing slip">
    <p className="text-sm">From {order.seller}, by Dogear</p>
    <address className="my-10 text-2xl leading-relaxed not-italic">
      {order.address !== null &&
        addressLines(order.address).map((line) => (
          <span key={line} dir="auto" className="block">
            {line}
          </span>
        ))}
    </address>
    <h2 className="mb-2 font-serif text-lg font-semibold">Your order</h2>
    <ul className="mb-6 border-t border-b py-3">
      {order.books
        .filter(({ price, refunding, refunded }) => price > refunding + refunded)
        .map(({ bookingId, title, authors }) => (
          <li key={bookingId} dir="auto" className="py-1">
            {title}
            {authors !== '' && `, ${authors}`}
          </li>
        ))}
    </ul>
    <p className="text-sm">
      Order {order._id}, paid on <Time at={order.paidAt} as="date" />
    </p>
    <p className="mt-1 text-sm">Thank you, and good reading. Say on the order’s page when it has arrived.</p>
  </article>
);
