import { useRef, useState } from 'react';
import { useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listCategories } from '#contract/catalog/catalog.ts';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { CategoryForm } from './category-form.tsx';
import { ProductForm } from './product-form.tsx';

export const meta: MetaFunction = () => pageMeta('Add A Product');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, user) => {
      const [categories, terms] = await Promise.all([api.call(listCategories, {}), api.call(readSellingTerms, {})]);
      return { user, categories, terms };
    },
    'seller',
  );

const AddProduct = () => {
  const { user, categories, terms } = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  const [category, setCategory] = useState('');
  const categoryField = useRef<HTMLSelectElement>(null);

  const chooseAdded = async (id: string): Promise<void> => {
    await revalidate();
    setCategory(id);
    categoryField.current?.focus();
  };

  return (
    <>
      <PageHeading title="Add A Product">Your listing goes live immediately.</PageHeading>
      {terms.confirmedOnly && !user.emailProven && (
        <div className="mb-6">
          <Notice tone="warning" title="Please confirm your email address before you sell">
            You can fill in the form already: what you type is kept in this tab until then.
          </Notice>
        </div>
      )}
      <section id="add-category" className="scroll-mt-6 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <h2 className="font-serif text-xl font-semibold">A new category</h2>
        <p className="mt-1 mb-5 text-sm text-muted">
          For books that fit none of the {categories.length} there are. It is chosen for your book at once.
        </p>
        <CategoryForm onAdded={(id) => void chooseAdded(id)} />
      </section>
      <section className="mt-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <h2 className="mb-5 font-serif text-xl font-semibold">The book</h2>
        <ProductForm
          user={user}
          categories={categories}
          terms={terms}
          category={category}
          onCategory={setCategory}
          categoryField={categoryField}
        />
      </section>
    </>
  );
};
export default AddProduct;
