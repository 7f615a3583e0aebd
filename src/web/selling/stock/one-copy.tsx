import { useState } from 'react';
import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import { readStockCopy } from '#contract/stock/stock-copies.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import type { Missing } from '#web/shell/data/load.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { isFree, Standing } from './copies/copy-columns.tsx';
import { SoldElsewhere } from './copies/sold-elsewhere.tsx';

export const meta: MetaFunction = () => pageMeta('A copy of yours');

const MISSING: Missing = {
  message: 'There is no such copy of yours. Its label may be of another shop, or you are signed in as somebody else.',
  next: { to: '/dashboard/stock/copies', label: 'All copies' },
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, (api) => api.call(readStockCopy, { params: { id: params['id'] ?? '' } }), 'seller', MISSING);

const TOLD: Partial<Record<string, string>> = {
  elsewhere: 'It is out of the shop. Pressed by mistake? Put it back within 24 hours.',
  sold: 'This copy was sold here: its order says how it comes to its buyer.',
  held: 'A buyer has it on hold.',
};

/** What the label on a book opens: that copy, and that it was sold over the counter. */
const OneCopy = () => {
  const loaded = useLoaderData<typeof clientLoader>();
  const [done, setDone] = useState<typeof loaded>();
  const copy = done?._id === loaded._id ? done : loaded;
  const facts = [copy.sku, copy.shelf === '' ? '' : `Shelf ${copy.shelf}`, copy.condition, copy.note];
  return (
    <div className="mx-auto flex max-w-md flex-col gap-5">
      <div className="flex gap-4">
        <Cover
          title={copy.title}
          authors={copy.authors}
          imageUrl={copy.image_url}
          decorative
          className="w-24 shrink-0"
        />
        <div className="flex min-w-0 flex-col items-start gap-1">
          <h1 className="font-serif text-2xl font-semibold wrap-anywhere" dir="auto">
            {copy.title}
          </h1>
          {copy.authors !== '' && <p dir="auto">{copy.authors}</p>}
          <p className="text-xl font-semibold tabular-nums">{formatDollars(copy.price)}</p>
          <p className="text-sm text-muted">{facts.filter((fact) => fact !== '').join(' · ')}</p>
          <Standing copy={copy} />
        </div>
      </div>
      <div role="status">{TOLD[copy.standing] !== undefined && <p>{TOLD[copy.standing]}</p>}</div>
      <SoldElsewhere copy={copy} isLarge onDone={setDone} />
      <div className="flex flex-wrap gap-3">
        {isFree(copy) && (
          <Link to={`/dashboard/edit_product/${copy._id}`} className={buttonClass('secondary')}>
            Edit
          </Link>
        )}
        <Link to="/dashboard/stock/copies" className={buttonClass('quiet')}>
          All copies
        </Link>
      </div>
    </div>
  );
};
export default OneCopy;
