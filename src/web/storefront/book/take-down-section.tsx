import { useState } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import { deleteListing, type Listing, type ListingStatus } from '#contract/catalog/catalog.ts';
import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { fromQuery } from '#web/shell/data/return-path.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** Why a copy cannot be taken down now. */
const KEPT: Partial<Record<ListingStatus, string>> = {
  Reserved: 'A buyer has reserved this copy: it can be taken down when the reservation ends.',
  Sold: 'This copy is sold: it can no longer be taken down. Refunds are on the Money page.',
};

/** What an admin can do about a copy. */
export const TakeDownSection = ({ listing }: { listing: Listing }) => {
  const [asked, setAsked] = useState<Listing>();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { pathname } = useLocation();
  const takeDown = async ({ _id: id, title, category_id }: Listing, reason: string): Promise<void> => {
    try {
      await call(deleteListing, { params: { id }, body: { reason } });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'second_factor_needed') {
        return void navigate(`/dashboard/admin_passkey${fromQuery(pathname)}`);
      }
      // Somebody was quicker: the page behind the dialog should know too.
      if (error instanceof ApiError && [404, 409].includes(error.status)) void revalidate();
      throw error;
    }
    toast(`Product ${title} deleted successfully`, { text: 'Its seller is told by email.' });
    await navigate(`/category/${encodeURIComponent(category_id)}`, { replace: true });
  };
  const kept = KEPT[listing.status];
  return (
    <section aria-labelledby="moderation" className="rounded-box border border-base-300 p-4 print:hidden">
      <h2 id="moderation" className="mb-2 font-serif text-xl font-semibold">
        For admins
      </h2>
      {kept === undefined ? (
        <Button look="danger" size="sm" onClick={() => setAsked(listing)}>
          Take down<span className="sr-only"> {listing.title}</span>
        </Button>
      ) : (
        <p className="text-muted">{kept}</p>
      )}
      <Reasoned
        of={asked}
        title="Take this listing down?"
        confirmLabel="Take down"
        hint="Emailed to the seller and kept in the audit."
        act={takeDown}
        onClose={() => setAsked(undefined)}
      >
        <p>
          <em>{listing.title}</em>, sold by {listing.Seller}, leaves the shop at once. You can restore it for{' '}
          {RESTORE_DAYS} days on the Deleted page.
        </p>
      </Reasoned>
    </section>
  );
};
