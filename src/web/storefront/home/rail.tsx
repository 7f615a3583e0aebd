import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { formatDollars } from '#contract/money/money.ts';
import { bookPath, smallCover } from '#web/storefront/lists/listing-words.ts';
import { Cover } from '#web/ui/cover.tsx';

/** What a rail shows of a copy. */
export interface RailCopy extends Pick<Listing, '_id' | 'title' | 'authors' | 'image_url' | 'resale_price'> {
  readonly photo: object | null;
  /** Whether it stands for dearer ones of its book, too. */
  readonly isFrom: boolean;
  /** What it cost before, US dollars. */
  readonly was?: number | undefined;
}

/** What it shows, and nothing else in a page's source. */
export const railCopy = ({ _id, title, authors, image_url, photo, resale_price, isFrom, was }: RailCopy): RailCopy => ({
  _id,
  title,
  authors,
  image_url,
  photo: photo === null ? null : {},
  resale_price,
  isFrom,
  was,
});

const MOST = 8;
const MOST_OF_A_SELLER = 2;
/** So many fill the width of a phone: a row of fewer looks as if nothing were there. */
const LEAST = 4;

type Gathered = Pick<Listing, 'Seller' | 'status' | 'isbn13' | 'title' | 'authors' | 'resale_price'>;

const bookOf = ({ isbn13, title, authors }: Gathered): string =>
  isbn13 === '' ? `${title} by ${authors}`.toLowerCase() : isbn13;

/**
 * The first of them that are free, each book once, as its cheapest copy; of each seller two at most: whoever lists a
 * box of books does not fill the rail. Where others have too few, it goes on with more of the same.
 */
export const spread = <A extends Gathered>(copies: readonly A[]): (A & Pick<RailCopy, 'isFrom'>)[] => {
  const free = copies.filter(({ status }) => status === 'Available');
  const books = new Map<string, A & Pick<RailCopy, 'isFrom'>>();
  for (const copy of free) {
    const other = books.get(bookOf(copy));
    const isCheaper = other === undefined || copy.resale_price < other.resale_price;
    books.set(bookOf(copy), { ...(isCheaper ? copy : other), isFrom: other !== undefined });
  }
  const all = [...books.values()];
  const shown = new Map<string, number>();
  const first = all.filter(({ Seller: seller }) => {
    const before = shown.get(seller) ?? 0;
    shown.set(seller, before + 1);
    return before < MOST_OF_A_SELLER;
  });
  if (first.length >= LEAST) return first.slice(0, MOST);
  return [...first, ...all.filter((copy) => !first.includes(copy))].slice(0, LEAST);
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
              <b>
                {copy.isFrom && <small>from </small>}
                {formatDollars(copy.resale_price)}
                {copy.was && <s>{formatDollars(copy.was)}</s>}
              </b>
              <span dir="auto">{copy.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
