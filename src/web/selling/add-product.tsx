import { useEffect, useRef, useState } from 'react';
import {
  Link,
  useLoaderData,
  useRevalidator,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { listCategories, listMyListings, type Listing } from '#contract/catalog/catalog.ts';
import { readShelfPause } from '#contract/catalog/pausing.ts';
import { readDeclaration } from '#contract/law/declaration.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { readCopyDelivery } from '#contract/delivery/delivery-calls.ts';
import type { Api } from '#web/api/client.ts';
import { showCarriedToast } from '#web/shell/data/carried-toast.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { ISBN_TO_SELL, SELLING_PATH } from '#web/shell/data/return-path.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { DeclarationForm } from '#web/shell/law/declaration-form.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { dayInWords, listedInWords } from './pausing/away-words.ts';
import { CategoryForm } from './category-form.tsx';
import type { LastDelivery } from './delivery/last-delivery.tsx';
import { DraftIsBack, NewerDraft } from './drafts/draft-notice.tsx';
import { loadListingDraft, type ListingDraftShown } from './drafts/listing-draft.ts';
import { useListingDraft } from './drafts/use-listing-draft.ts';
import { keptOf, valuesOf, type KeptValues, type ListingValues } from './listing-form.ts';
import { ProductForm } from './product-form.tsx';

export const meta: MetaFunction = () => pageMeta('Add A Product');

/** The copy that was listed last, and how it is delivered where that is not as all. */
const lastOf = async (api: Api, email: string) => {
  const [listing] = (await api.callPage(listMyListings, { query: { email, limit: '1' } })).rows;
  if (listing === undefined) return undefined;
  return { listing, delivery: await lastDelivery(api, listing).catch(() => undefined) };
};

/** With what shows it: hardly anybody has a book that is delivered in its own way, and nobody else loads it. */
const lastDelivery = async (api: Api, { _id: id }: Listing): Promise<LastDelivery | undefined> => {
  const told = await api.call(readCopyDelivery, { params: { id } });
  if (Object.keys(told.own).length === 0) return undefined;
  const { lastDeliveryOf } = await import('./delivery/last-delivery.tsx');
  return lastDeliveryOf(told);
};

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, user) => {
      const [categories, terms, pause, declared, last, found] = await Promise.all([
        api.call(listCategories, {}),
        api.call(readSellingTerms, {}),
        api.call(readShelfPause, {}),
        api.call(readDeclaration, {}),
        // What the form begins with is a nicety: without it all is typed.
        lastOf(api, user.email).catch(() => undefined),
        loadListingDraft().catch(() => undefined),
      ]);
      const kept: Partial<KeptValues> = last === undefined ? {} : keptOf(valuesOf(last.listing));
      return { user, categories, terms, pause, declared, kept, lastDelivery: last?.delivery, found };
    },
    'seller',
  );

/** What the form shows: one book after the other. */
interface Book {
  readonly kept: Partial<ListingValues>;
  readonly n: number;
  /** The draft that it goes on with. */
  readonly shown: ListingDraftShown | undefined;
}

const AddProduct = () => {
  const {
    user,
    categories,
    terms,
    pause,
    declared,
    kept: keptAtFirst,
    lastDelivery,
    found,
  } = useLoaderData<typeof clientLoader>();
  const hasDeclared = declared.kind !== '' && declared.accepted;
  useEffect(showCarriedToast, []);
  const [params] = useSearchParams();
  const [brought, setBrought] = useState(params.get(ISBN_TO_SELL) ?? undefined);
  // Loaded once more, the page does not bring it again: by then it is in the draft, or listed.
  useEffect(() => {
    if (params.has(ISBN_TO_SELL)) history.replaceState(history.state, '', SELLING_PATH);
  }, [params]);
  const drafts = useListingDraft(user.uid, found);
  const { revalidate } = useRevalidator();
  const [{ kept, n, shown }, setBook] = useState<Book>({
    kept: { ...keptAtFirst, ...drafts.shown?.values },
    n: 1,
    shown: drafts.shown,
  });
  const known = (wanted = ''): string => categories.find(({ category_id: id }) => id === wanted)?.category_id ?? '';
  const [category, setCategory] = useState(known(kept.category_id));
  const categoryField = useRef<HTMLSelectElement>(null);

  /** The form anew, with this draft or without one. */
  const begin = (draft: ListingDraftShown | undefined): void => {
    const values = { ...keptAtFirst, ...draft?.values };
    setCategory(known(values.category_id));
    setBook({ kept: values, n: n + 1, shown: draft });
  };

  const chooseAdded = async (id: string): Promise<void> => {
    await revalidate();
    setCategory(id);
    categoryField.current?.focus();
  };

  return (
    <>
      <PageHeading title="Add A Product">
        {pause.paused ? 'Your listing goes live when you are back.' : 'Your listing goes live immediately.'}
      </PageHeading>
      {pause.paused && (
        <div className="mb-6">
          <Notice
            tone="info"
            title={
              pause.until === null ? 'Your shelf is paused' : `Your shelf is paused until ${dayInWords(pause.until)}`
            }
          >
            What you add now is hidden like your other books and appears with them.{' '}
            <Link to="/dashboard/my_products" className="text-link">
              Come back in My Products
            </Link>
          </Notice>
        </div>
      )}
      {terms.confirmedOnly && !user.emailProven && (
        <div className="mb-6">
          <Notice tone="warning" title="Please confirm your email address before you sell">
            You can fill in the form already: what you type is kept until then.
          </Notice>
        </div>
      )}
      {!hasDeclared && (
        <section
          aria-labelledby="before-you-sell"
          className="mb-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7"
        >
          <h2 id="before-you-sell" className="font-serif text-xl font-semibold">
            {declared.kind === '' ? 'Before you sell' : 'The terms have changed'}
          </h2>
          <p className="mt-1 mb-5 max-w-prose text-sm text-muted">
            Buyers are told whether they buy of a private person or of a business. You say it once, and can change it in
            Account.
          </p>
          <DeclarationForm own={declared} label="Save and go on" onSaved={revalidate} />
        </section>
      )}
      <section hidden={!hasDeclared} className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <h2 className="mb-5 font-serif text-xl font-semibold">The book</h2>
        {drafts.isBehind && <NewerDraft onUse={async () => begin(await drafts.useNewer())} onKeep={drafts.keepThis} />}
        {shown !== undefined && !drafts.isBehind && (
          <DraftIsBack
            key={shown.savedAt}
            savedAt={shown.savedAt}
            onAnew={() => drafts.beginAnew().then(() => begin(undefined))}
          />
        )}
        <ProductForm
          key={n}
          user={user}
          kept={kept}
          lastDelivery={lastDelivery}
          listed={listedInWords(pause)}
          isNext={n > 1}
          // A book that is begun keeps its own: the number is for the one begun next.
          brought={shown === undefined && !drafts.isBehind ? brought : undefined}
          onNext={(next) => {
            setBrought(undefined);
            setBook({ kept: next, n: n + 1, shown: undefined });
          }}
          draft={{ keeper: drafts.keeper, photos: shown?.photos }}
          categories={categories}
          terms={terms}
          category={category}
          onCategory={setCategory}
          categoryField={categoryField}
        />
      </section>
      <section id="add-category" className="mt-8 scroll-mt-6 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <h2 className="font-serif text-xl font-semibold">A new category</h2>
        <p className="mt-1 mb-5 text-sm text-muted">
          For books that fit none of the {categories.length} there are. It is chosen for your book at once.
        </p>
        <CategoryForm onAdded={(id) => void chooseAdded(id)} />
      </section>
    </>
  );
};
export default AddProduct;
