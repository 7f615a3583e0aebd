import type { ClientLoaderFunctionArgs, MetaFunction } from 'react-router';
import { requireRole } from '#web/shell/guard.ts';
import { pageMeta } from '#web/shell/page-meta.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const meta: MetaFunction = () => pageMeta('Reported Items');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => requireRole(request, 'admin');

const ReportedItems = () => (
  <>
    <PageHeading title="Reported Items" />
    <EmptyState title="Nothing has been reported">
      Readers cannot report a book yet. Once they can, what they report will wait here for you.
    </EmptyState>
  </>
);
export default ReportedItems;
