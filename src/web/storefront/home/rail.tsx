import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { formatDollars } from '#contract/money/money.ts';
import { bookPath, smallCover } from '#web/storefront/lists/listing-words.ts';
import { Cover } from '#web/ui/cover.tsx';

/** What a rail shows of a copy. */
export type RailCopy = Pick<Listing, '_id' | 'title' | 'authors' | 'image_url' | 'photo' | 'resale_price'>;

/** What it shows, and nothing else in a page's source. */
export const railCopy = ({ _id, title, authors, image_url, photo, resale_price }: Listing): RailCopy => ({
  _id,
  title,
  authors,
  image_url,
  photo,
  resale_price,
});

const MOST = 8;
const MOST_OF_A_SELLER = 2;

/** The first of them, of each seller two at most: whoever lists a box of books does not fill the rail. */
export const spread = <A extends Pick<Listing, 'Seller' | 'status'>>(copies: readonly A[]): A[] => {
  const shown = new Map<string, number>();
  return copies
    .filter(({ Seller: seller, status }) => {
      const before = shown.get(seller) ?? 0;
      if (status !== 'Available' || before === MOST_OF_A_SELLER) return false;
      shown.set(seller, before + 1);
      return true;
    })
    .slice(0, MOST);
};

interface RailProps {
  id: string;
  title: string;
  /** Where all of them are. */
  all: string;
  copies: readonly RailCopy[];
}

/** Copies in one row that is pushed aside with a finger: cover, price and title, each the way to its page. */
export const Rail = ({ id, title, all, copies }: RailProps) =>
  copies.length === 0 ? null : (
    <section className="page rail" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <Link to={all}>
          See all<span className="sr-only"> of {title}</span>
        </Link>
      </div>
      <ul className="cover-row">
        {copies.map((copy) => (
          <li key={copy._id}>
            <a href={bookPath(copy._id)}>
              <Cover title={copy.title} authors={copy.authors} imageUrl={smallCover(copy)} decorative />
              <b>{formatDollars(copy.resale_price)}</b>
              <span dir="auto">{copy.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
