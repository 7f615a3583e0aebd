import { ISBN_TO_SELL, SELLING_PATH } from '#web/shell/data/return-path.ts';
import { buttonClass } from '#web/ui/button.tsx';

/** The way for a book to the shelf: its ISBN, and the form goes on with what is known of it. Works without scripts. */
export const SellYours = () => (
  <section className="page py-8 sm:py-10" aria-labelledby="sell-yours">
    <div className="grid items-center gap-x-10 gap-y-5 rounded-box border border-base-300 bg-base-100 p-[min(1.25rem,5vw)] sm:p-8 lg:grid-cols-2">
      <div>
        <h2 id="sell-yours" className="font-serif text-xl font-semibold sm:text-2xl">
          Have books at home?
        </h2>
        <p className="mt-1 max-w-prose text-muted">
          Type the number near the barcode: title, author and year are filled in where they are known. A photo, its
          condition and a price, and it is on the shelf.
        </p>
      </div>
      <form action={SELLING_PATH} className="flex flex-wrap items-end gap-3">
        <div className="flex min-w-0 flex-[1_1_12rem] flex-col gap-1.5">
          <label htmlFor="isbn-to-sell" className="text-sm font-semibold">
            ISBN
          </label>
          <input
            id="isbn-to-sell"
            name={ISBN_TO_SELL}
            autoComplete="off"
            maxLength={40}
            placeholder="9780441172719"
            className="input h-11 w-full text-base sm:text-sm"
          />
        </div>
        <button type="submit" className={buttonClass('primary', 'md', 'h-auto max-w-full whitespace-normal')}>
          Sell this book
        </button>
      </form>
    </div>
  </section>
);
