import { useEffect, useState } from 'react';
import { isRouteErrorResponse, Link, useParams, useRevalidator, useRouteError } from 'react-router';
import { readListing, type Listing } from '#contract/catalog/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { ErrorPage } from '#web/shell/layout/error-page.tsx';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/**
 * The page that everybody gets who comes by the address of a book that is not there, or is paused. The server makes it
 * for nobody in particular: where a seller is signed in, their browser asks whether the book is an own one, and then
 * reads the page again with their token.
 */
export const MissingBook = () => {
  const { id = '' } = useParams();
  const error = useRouteError();
  const session = useSession();
  const { revalidate } = useRevalidator();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const mayOwn = session.status === 'in' && session.user.roles.includes('seller');
  useEffect(() => {
    if (!isMissing || !mayOwn) return undefined;
    let isLeft = false;
    const readAgain = (): void => {
      if (!isLeft) void revalidate();
    };
    call(readListing, { params: { id } }).then(readAgain, () => undefined);
    return () => {
      isLeft = true;
    };
  }, [id, isMissing, mayOwn, revalidate]);
  return <ErrorPage />;
};

/** Tells sellers that a book of theirs is out of everybody else's sight, and puts it back on one press. */
export const PausedNotice = ({ listing: { _id: id, title } }: { listing: Listing }) => {
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const putBack = async (): Promise<void> => {
    setBusy(true);
    try {
      // On press alone: what every page is told of the others' scripts stays small.
      const { pauseListing } = await import('#contract/catalog/pausing.ts');
      const { status } = await call(pauseListing, { params: { id }, body: { paused: false } });
      const isBack = status !== 'Paused';
      toast('Put back', {
        text: isBack ? `${title} can be found and bought again.` : `${title} comes back with your shelf.`,
      });
    } catch (failure) {
      toast('This did not work', { tone: 'error', text: messageOf(failure) });
    }
    await revalidate();
    setBusy(false);
  };
  return (
    <Notice
      tone="info"
      title="Paused: only you see this"
      action={
        <span className="flex flex-wrap gap-2">
          <Button look="secondary" size="sm" busy={busy} onClick={() => void putBack()}>
            Put it back
          </Button>
          <Link to="/dashboard/my_products" className={buttonClass('secondary', 'sm')}>
            Manage
          </Link>
        </span>
      }
    >
      Everybody else is told that there is no such book.
    </Notice>
  );
};
