import type { TitleStock } from '#contract/catalog/editions/popular.ts';
import { Assurances } from './assurances.tsx';
import { PopularBooks } from './popular-books.tsx';
import { SellYours } from './sell-yours.tsx';

const Banner = () => (
  <section className="border-y border-base-300 bg-neutral text-neutral-content" aria-labelledby="banner">
    <div className="page py-10 text-center">
      <h2 id="banner" className="font-serif text-2xl font-semibold sm:text-3xl">
        Every book has been somewhere before
      </h2>
      <p className="mx-auto mt-2 max-w-prose opacity-85">
        Margins with notes in them, a name on the first page, a corner turned down: that is what makes it yours.
      </p>
    </div>
  </section>
);

/** What stands between the newest books and all of them. */
export const ShopWindow = ({ stock }: { stock: readonly TitleStock[] }) => (
  <>
    <Assurances />
    <PopularBooks stock={stock} />
    <SellYours />
    <Banner />
  </>
);
