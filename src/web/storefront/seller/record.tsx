import type { SellerPage } from '#contract/sellers/sellers.ts';
import { REVIEW_FACTS, type ReviewFact } from '#contract/orders/reviews.ts';

const ofMany = (count: number, of: number): string => `${count} of ${of}`;

/** The stars of all reviews together, with one decimal. */
export const averageOf = ({ stars, reviews }: SellerPage['sums']): string => (stars / reviews).toFixed(1);

export const reviewCount = (count: number): string => (count === 1 ? '1 review' : `${count} reviews`);

const orders = (count: number): string => (count === 1 ? '1 order' : `${count} orders`);

/** What is known of a seller's orders, name and number; what there is no case of is left out. */
export const recordFacts = ({ record, sums }: Pick<SellerPage, 'record' | 'sums'>): [string, string][] => {
  const said: Record<ReviewFact, [number, number]> = {
    asDescribed: [sums.asDescribed, sums.asDescribedSaid],
    wellPacked: [sums.wellPacked, sums.wellPackedSaid],
    inTime: [sums.inTime, sums.inTimeSaid],
  };
  return [
    ['Sold and delivered', orders(record.orders)],
    ...(record.posted > 0 ? [['Posted in time', ofMany(record.postedInTime, record.posted)] as [string, string]] : []),
    ['Cancelled by the seller', String(record.cancelled)],
    ['Complaints after which money went back', String(record.upheld)],
    ...(record.asked > 0 ? [['Answered within a day', ofMany(record.answered, record.asked)] as [string, string]] : []),
    ...REVIEW_FACTS.flatMap(({ name, yes }): [string, string][] => {
      const [count, of] = said[name];
      return of === 0 ? [] : [[`${yes}, buyers say`, ofMany(count, of)]];
    }),
  ];
};

/** What became of a seller's orders: facts and how often, never a score. */
export const Record = ({ seller }: { seller: SellerPage }) => {
  const { orders: sold, cancelled } = seller.record;
  if (sold === 0 && cancelled === 0) return <p className="text-muted">No order of theirs is over yet.</p>;
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-2">
      {recordFacts(seller).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="text-end font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** The same in a line, above a shelf that is long: it leads to the whole. */
export const RecordLine = ({ seller }: { seller: SellerPage }) => {
  const { record, sums } = seller;
  if (record.orders === 0 && sums.reviews === 0) return null;
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 lg:hidden">
      <a href="#record" className="py-1 text-link">
        {orders(record.orders)}
        {record.posted > 0 && `, ${ofMany(record.postedInTime, record.posted)} posted in time`}
      </a>
      {sums.reviews > 0 && (
        <a href="#reviews" className="py-1 text-link">
          {averageOf(sums)} of 5, {reviewCount(sums.reviews)}
        </a>
      )}
    </p>
  );
};
