import { Link, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { requireRole } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { CONTACT_EMAIL } from '#web/shell/layout/places.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta: MetaFunction = () => pageMeta('Reported Items');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => requireRole(request, 'admin');

const ReportedItems = () => (
  <>
    <PageHeading title="Reported Items" />
    <div className="flex max-w-prose flex-col gap-6">
      <section aria-labelledby="how-reported">
        <h2 id="how-reported" className="mb-2 font-serif text-xl font-semibold">
          How readers report a book
        </h2>
        <p>
          They write to{' '}
          <a href={`mailto:${CONTACT_EMAIL}`} className="text-link break-all">
            {CONTACT_EMAIL}
          </a>
          , the address at the foot of every page. Ask for the address of the book’s page if it is missing.
        </p>
      </section>
      <section aria-labelledby="what-to-do">
        <h2 id="what-to-do" className="mb-2 font-serif text-xl font-semibold">
          What you can do
        </h2>
        <ul className="list-disc pl-5">
          <li>
            <strong>A listing that should not be here:</strong> open its page and press <em>Take down</em>. Its seller
            is told why.
          </li>
          <li>
            <strong>A seller you no longer vouch for:</strong> remove the tick in{' '}
            <Link to="/dashboard/all_sellers" className="text-link">
              All Sellers
            </Link>
            , or delete the user there.
          </li>
          <li>
            <strong>A buyer who paid and has a problem:</strong> refund the payment in{' '}
            <Link to="/dashboard/money" className="text-link">
              Money
            </Link>
            .
          </li>
          <li>
            <strong>A mistake:</strong> bring a listing or user back in{' '}
            <Link to="/dashboard/deleted" className="text-link">
              Deleted
            </Link>
            .
          </li>
        </ul>
      </section>
    </div>
  </>
);
export default ReportedItems;
