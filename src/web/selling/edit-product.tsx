import { useRef, useState } from 'react';
import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listCategories, readListing } from '#contract/catalog/catalog.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { throwMissing, type Missing } from '#web/shell/data/load.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { CopyDelivery } from './delivery/copy-delivery.tsx';
import { lockedBecause } from './locked.ts';
import { ProductForm } from './product-form.tsx';

export const meta: MetaFunction = () => pageMeta('Edit Product');

const NOT_YOURS: Missing = {
  message: 'This is not one of your products.',
  next: { to: '/dashboard/my_products', label: 'My Products' },
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, user) => {
      const [listing, categories, terms] = await Promise.all([
        api.call(readListing, { params: { id: params['id'] ?? '' } }),
        api.call(listCategories, {}),
        api.call(readSellingTerms, {}),
      ]);
      if (listing.email.toLowerCase() !== user.email.toLowerCase()) throwMissing(NOT_YOURS);
      return { user, listing, categories, terms };
    },
    'seller',
    NOT_YOURS,
  );

const EditProduct = () => {
  const { user, listing, categories, terms } = useLoaderData<typeof clientLoader>();
  const [category, setCategory] = useState(listing.category_id);
  const categoryField = useRef<HTMLSelectElement>(null);
  useRefreshOnFocus();
  const locked = lockedBecause(listing.status);
  return (
    <>
      <PageHeading title="Edit Product">{listing.title}</PageHeading>
      {locked !== undefined && (
        <div className="mb-6">
          <Notice
            tone="warning"
            title={listing.status}
            action={
              <Link to="/dashboard/my_products" className={buttonClass('secondary', 'sm')}>
                Back to My Products
              </Link>
            }
          >
            {locked}
          </Notice>
        </div>
      )}
      <section className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <h2 className="mb-5 font-serif text-xl font-semibold">The book</h2>
        <ProductForm
          key={listing._id}
          user={user}
          categories={categories}
          terms={terms}
          category={category}
          onCategory={setCategory}
          categoryField={categoryField}
          listing={listing}
          locked={locked !== undefined}
        />
      </section>
      {locked === undefined && <CopyDelivery key={listing._id} listing={listing} />}
    </>
  );
};
export default EditProduct;
