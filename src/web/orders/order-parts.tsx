import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { promisedStatements } from '#contract/bookings/promise-words.ts';
import { addressLines } from '#contract/delivery/address.ts';
import { formatDollars } from '#contract/money/money.ts';
import type { Order, OrderBook } from '#contract/orders/orders.ts';
import { STATEMENT_WORDS } from '#contract/orders/states.ts';
import { Time } from '#web/shell/data/time.tsx';
import { classes } from '#web/ui/classes.ts';
import { Cover } from '#web/ui/cover.tsx';
import { trackingUrl } from './carriers.ts';
import { PrivatePhotos } from '#web/shell/photos/private-photos.tsx';
import { Promised } from './promise.tsx';
import { eventWords } from './timeline-words.ts';

/** A part of the page beneath its heading. */
const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="rounded-box border border-base-300 bg-base-100 p-5">
    <h2 className="mb-3 font-serif text-xl font-semibold">{title}</h2>
    {children}
  </section>
);

const Money = ({ label, dollars, isSum = false }: { label: string; dollars: number; isSum?: boolean }) => (
  <div className={classes('flex justify-between gap-4', isSum && 'text-base font-semibold')}>
    <dt>{label}</dt>
    <dd className="tabular-nums">{formatDollars(dollars)}</dd>
  </div>
);

/** What of a book's price goes or went back. */
const Returned = ({ book: { refunding, refunded } }: { book: OrderBook }) => (
  <>
    {refunding > 0 && <p className="mt-1 text-sm text-muted">{formatDollars(refunding)} on its way back</p>}
    {refunded > 0 && <p className="mt-1 text-sm text-muted">{formatDollars(refunded)} went back</p>}
  </>
);

/** The books as they were promised, and what was paid. */
export const Books = ({ order: { books, postage, total } }: { order: Order }) => (
  <Part title={books.length === 1 ? 'The book' : 'The books'}>
    <ul className="flex flex-col gap-5">
      {books.map((book) => (
        <li key={book.bookingId} className="flex gap-4">
          <Cover
            title={book.title}
            authors={book.authors}
            imageUrl={book.image_url}
            decorative
            className="w-16 shrink-0 self-start"
          />
          <div className="min-w-0 flex-1">
            <p dir="auto" className="font-serif font-semibold break-words">
              <Link to={`/book/${book.listingId}`} className="hover:underline">
                {book.title}
              </Link>
            </p>
            {book.authors !== '' && (
              <p dir="auto" className="text-sm break-words text-muted">
                {book.authors}
              </p>
            )}
            {book.condition !== '' && <p className="mt-1 text-sm">Condition: {book.condition}</p>}
            {book.details !== '' && (
              <p dir="auto" className="mt-1 text-sm break-words whitespace-pre-line text-muted">
                {book.details}
              </p>
            )}
            <Promised book={book} />
            <Returned book={book} />
          </div>
          <p className="font-semibold tabular-nums">{formatDollars(book.price)}</p>
        </li>
      ))}
    </ul>
    <dl className="mt-5 flex flex-col gap-1 border-t border-base-300 pt-4 text-sm">
      {postage > 0 && <Money label="Postage" dollars={postage} />}
      <Money label="Paid" dollars={total} isSum />
    </dl>
  </Part>
);

const Phone = ({ phone }: { phone: string }) => (
  <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className="inline-block py-2 text-link">
    {phone}
  </a>
);

const Parcel = ({ order: { carrier, tracking } }: { order: Order }) => {
  if (carrier === '' && tracking === '') return null;
  const url = trackingUrl(carrier, tracking);
  return (
    <div>
      <h3 className="text-sm text-muted">Parcel</h3>
      <p className="break-words">
        {carrier}
        {tracking !== '' && <span className="block font-mono text-sm break-all">{tracking}</span>}
        {carrier !== '' && tracking === '' && <span className="text-muted">, without a number</span>}
      </p>
      {url !== undefined && (
        <a href={url} target="_blank" rel="noreferrer" className="inline-block py-2 text-link">
          Follow the parcel<span className="sr-only"> at {carrier}, in a new tab</span>
        </a>
      )}
    </div>
  );
};

const GONE = 'How to reach each other is not shown any more, as the order ended some time ago.';

/** Who the other is, how they are reached, and where the books go. */
export const Reach = ({ order }: { order: Order }) => {
  const { side, buyer, seller, phone, address, place, delivery, state } = order;
  const isOver = state === 'closed' || state === 'cancelled';
  return (
    <Part title={side === 'buyer' ? 'The seller' : side === 'seller' ? 'The buyer' : 'Buyer and seller'}>
      <div className="flex flex-col gap-3">
        <p dir="auto" className="font-semibold break-words">
          {side === 'buyer' ? seller : side === 'seller' ? buyer : `${buyer} buys from ${seller}`}
        </p>
        {phone !== '' && (
          <div>
            <h3 className="text-sm text-muted">{side === 'admin' ? 'The buyer’s phone' : 'Phone'}</h3>
            <Phone phone={phone} />
          </div>
        )}
        {address !== null && (
          <div>
            <h3 className="text-sm text-muted">{side === 'buyer' ? 'It goes to' : 'Address'}</h3>
            <address className="break-words not-italic">
              {addressLines(address).map((line) => (
                <span key={line} dir="auto" className="block">
                  {line}
                </span>
              ))}
            </address>
          </div>
        )}
        {delivery === 'pickup' && place !== '' && (
          <div>
            <h3 className="text-sm text-muted">To be picked up at</h3>
            <p dir="auto" className="break-words">
              {place}
            </p>
          </div>
        )}
        <Parcel order={order} />
        {isOver && phone === '' && address === null && place === '' && <p className="text-sm text-muted">{GONE}</p>}
      </div>
    </Part>
  );
};

const PROBLEMS = {
  missing: 'It did not come',
  'not-as-described': 'It is not as described',
  damaged: 'It is damaged',
  withdrawal: 'Withdrawn from the contract',
} as const;

const offerWords = (side: Order['side'], state: Order['state']): string => {
  if (state !== 'problem') return side === 'seller' ? 'You offered' : 'The seller offered';
  return side === 'seller' ? 'You offer' : 'The seller offers';
};

/** What the buyer complains about, and what the seller offers. */
export const Problem = ({ order: { problem, books, side, state } }: { order: Order }) => {
  if (problem === null) return null;
  const book = books.length === 1 ? books[0] : books.find(({ bookingId }) => bookingId === problem.bookingId);
  const terms = book?.promise?.terms;
  // The pictures are shown with the book.
  const told = problem.statement === 'picture' ? null : problem.statement;
  const promised = terms && promisedStatements(terms).find(({ name }) => name === told);
  return (
    <Part title={side === 'buyer' ? 'What you said' : 'What the buyer says'}>
      <p className="font-semibold">
        {PROBLEMS[problem.kind]}
        {problem.statement !== null && `: ${STATEMENT_WORDS[problem.statement]}`}
      </p>
      {promised !== undefined && (
        <p dir="auto" className="text-sm break-words text-muted">
          Promised: {promised.words}
        </p>
      )}
      {book !== undefined && books.length > 1 && (
        <p dir="auto" className="text-sm text-muted">
          {book.title}
        </p>
      )}
      {problem.words !== '' && (
        <blockquote dir="auto" className="mt-2 border-s-2 border-base-300 ps-3 break-words whitespace-pre-line">
          {problem.words}
        </blockquote>
      )}
      <PrivatePhotos photos={problem.photos} of="of the problem" />
      {problem.offer !== null && (
        <p className="mt-3">
          {offerWords(side, state)} <strong>{formatDollars(problem.offer)}</strong> back.
        </p>
      )}
    </Part>
  );
};

/** How the seller wants the book back. */
export const SendBack = ({ order: { problem, side } }: { order: Order }) => {
  if (problem === null || problem.sendBack === '') return null;
  return (
    <Part title={side === 'buyer' ? 'How to send it back' : 'How it is to be sent back'}>
      <p dir="auto" className="break-words whitespace-pre-line">
        {problem.sendBack}
      </p>
    </Part>
  );
};

/** What happened, the latest first. */
export const Timeline = ({ order }: { order: Order }) => (
  <Part title="What happened">
    <ol className="flex flex-col gap-4 border-s-2 border-base-300 ps-4">
      {order.events.toReversed().map((event) => (
        <li key={`${event.at} ${event.move}`} className="relative">
          <span
            aria-hidden="true"
            className="absolute -start-[1.4rem] top-1.5 size-2.5 rounded-full border-2 border-base-100 bg-primary"
          />
          <p className="break-words">{eventWords(event, order)}</p>
          {event.reason !== '' && (
            <p dir="auto" className="text-sm break-words text-muted">
              “{event.reason}”
            </p>
          )}
          <p className="text-sm text-muted">
            <Time at={event.at} as="moment" />
          </p>
        </li>
      ))}
    </ol>
  </Part>
);
