import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { decisionsFile, listReportCases } from '#contract/admin/reports.ts';
import { listHeldReviews } from '#contract/orders/reviews.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { CONTACT_EMAIL } from '#web/shell/layout/places.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { messageOf } from '#web/api/api-error.ts';
import { callFile } from '#web/api/call-file.ts';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { HeldReviews } from './held-reviews.tsx';
import { ReportCases } from './report-cases.tsx';

export const meta: MetaFunction = () => pageMeta('Reported Items');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [open, appeals, held, decided] = await Promise.all([
        api.callPage(listReportCases, { query: { state: 'open' } }),
        api.callPage(listReportCases, { query: { state: 'appeals' } }),
        api.callPage(listHeldReviews, { query: {} }),
        api.callPage(listReportCases, { query: { state: 'decided', limit: '10' } }),
      ]);
      return { open, appeals, held, decided };
    },
    'admin',
  );

const ReportedItems = () => {
  const { open, appeals, held, decided } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  return (
    <>
      <PageHeading title="Reported Items">
        What readers reported, the oldest first. Decide within two days; whoever it is about is told why.
      </PageHeading>
      <ReportCases
        state="open"
        first={open}
        title="Reports to decide"
        nothing="None. What readers report appears here."
      />
      <ReportCases state="appeals" first={appeals} title="Appeals" nothing="None." />
      <HeldReviews first={held} />
      <ReportCases state="decided" first={decided} title="Decided" nothing="Nothing yet." />
      <div className="mb-8">
        <DownloadButton
          label="This year’s decisions (CSV)"
          read={() => callFile(decisionsFile, { year: String(new Date().getFullYear()) })}
          say={messageOf}
        />
      </div>
      <div className="flex max-w-prose flex-col gap-6">
        <section aria-labelledby="how-reported">
          <h2 id="how-reported" className="mb-2 font-serif text-xl font-semibold">
            How readers report a book
          </h2>
          <p>
            On the page of a book or a seller, beneath a photo that is shown large, a review and a message stands{' '}
            <em>Report</em>. Others write to{' '}
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
};
export default ReportedItems;
