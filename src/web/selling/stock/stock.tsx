import { useState } from 'react';
import { useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listCategories } from '#contract/catalog/catalog.ts';
import { readDeclaration } from '#contract/law/declaration.ts';
import { listStockFiles, type StockFile } from '#contract/stock/stock-files.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { DeclarationForm } from '#web/shell/law/declaration-form.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { DropFile } from './drop-file.tsx';
import { EarlierFiles } from './earlier-files.tsx';
import { ExportStock } from './export-stock.tsx';
import { StockTabs } from './stock-tabs.tsx';
import { OpenFile } from './open-file.tsx';

export const meta: MetaFunction = () => pageMeta('Stock');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [{ files }, categories, declared] = await Promise.all([
        api.call(listStockFiles, {}),
        api.call(listCategories, {}),
        api.call(readDeclaration, {}),
      ]);
      return { files, categories, declared };
    },
    'seller',
  );

const OVER: readonly StockFile['state'][] = ['undone', 'cancelled'];

const Stock = () => {
  const { files, categories, declared } = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  // What was cancelled or looked away from; a file that was written stays in sight until the next one.
  const [closed, setClosed] = useState<readonly string[]>([]);
  const [newest] = files;
  const open = newest !== undefined && !OVER.includes(newest.state) && !closed.includes(newest.id) ? newest : undefined;
  const isUploading = open?.state === 'uploading';
  return (
    <>
      <PageHeading title="Stock">Bring all your books in from a file, and keep them in step with it.</PageHeading>
      <StockTabs />
      {declared.kind === '' || !declared.accepted ? (
        <section
          aria-labelledby="before-you-sell"
          className="mb-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7"
        >
          <h2 id="before-you-sell" className="mb-5 font-serif text-xl font-semibold">
            {declared.kind === '' ? 'Before you sell' : 'The terms have changed'}
          </h2>
          <DeclarationForm own={declared} label="Save and go on" onSaved={revalidate} />
        </section>
      ) : (
        <>
          {open !== undefined && !isUploading ? (
            <OpenFile
              key={open.id}
              first={open}
              categories={categories}
              onClose={async () => {
                setClosed([...closed, open.id]);
                await revalidate();
              }}
            />
          ) : (
            <DropFile waiting={isUploading ? open : undefined} onSent={revalidate} />
          )}
          <ExportStock />
          <EarlierFiles files={files.filter(({ id }) => id !== open?.id)} onChanged={revalidate} />
        </>
      )}
    </>
  );
};
export default Stock;
