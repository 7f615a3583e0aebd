import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { readListing, type Listing } from '#contract/catalog/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useSignInPath } from '#web/shell/data/sign-in-path.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { MailIcon, PhoneIcon } from '#web/ui/icons.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';

interface Contact {
  readonly email: string;
  readonly phone: string;
}

type ContactState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'known'; readonly contact: Contact };

const LOADING: ContactState = { kind: 'loading' };

/** The seller's contact for whoever is signed in; the page itself was rendered for nobody and has none. */
const useContact = (listing: Listing): { state: ContactState; reload: () => void } => {
  const session = useSession();
  const viewer = session.status === 'in' ? session.user.uid : undefined;
  const [round, setRound] = useState(0);
  const { _id: id, email } = listing;
  const wanted = `${id} ${viewer} ${round}`;
  const [loaded, setLoaded] = useState<{ wanted: string; state: ContactState }>();
  useEffect(() => {
    if (viewer === undefined || email !== '') return undefined;
    const stop = new AbortController();
    const learn = (state: ContactState): void => {
      if (!stop.signal.aborted) setLoaded({ wanted, state });
    };
    call(readListing, { params: { id } }, { signal: stop.signal }).then(
      (contact) => learn({ kind: 'known', contact }),
      (error: unknown) => learn({ kind: 'failed', message: messageOf(error) }),
    );
    return () => stop.abort();
  }, [id, email, viewer, wanted]);
  const reload = useCallback(() => setRound((old) => old + 1), []);
  if (viewer === undefined) return { state: LOADING, reload };
  if (email !== '') return { state: { kind: 'known', contact: listing }, reload };
  return { state: loaded?.wanted === wanted ? loaded.state : LOADING, reload };
};

const linkClass = 'text-link inline-flex min-h-6 max-w-full items-center gap-2 break-all';

const Known = ({ contact }: { contact: Contact }) => (
  <ul className="flex flex-col gap-2">
    <li>
      <a href={`mailto:${contact.email}`} className={linkClass}>
        <MailIcon className="size-4 shrink-0" />
        {contact.email}
      </a>
    </li>
    {contact.phone !== '' && (
      <li>
        <a href={`tel:${contact.phone.replaceAll(/[^+\d]/g, '')}`} className={linkClass}>
          <PhoneIcon className="size-4 shrink-0" />
          {contact.phone}
        </a>
      </li>
    )}
  </ul>
);

/** The shop tells nobody's contact to an address that is not confirmed. */
const Unconfirmed = ({ seller }: { seller: string }) => (
  <p className="text-muted">
    Confirm your email address to see how to reach {seller}:{' '}
    <Link to="/dashboard" className="text-link">
      your dashboard
    </Link>{' '}
    sends you the link.
  </p>
);

const Content = ({ listing }: { listing: Listing }) => {
  const { state, reload } = useContact(listing);
  switch (state.kind) {
    case 'known':
      if (state.contact.email === '') return <Unconfirmed seller={listing.Seller} />;
      return <Known contact={state.contact} />;
    case 'failed':
      return (
        <Notice tone="error" action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Notice>
      );
    default:
      return <Skeleton className="h-14" />;
  }
};

/**
 * How to reach the seller: for users with a confirmed address, others are shown the way there. CSS chooses, as in the
 * header.
 */
export const SellerContact = ({ listing }: { listing: Listing }) => {
  const signInPath = useSignInPath();
  return (
    <section aria-labelledby="contact">
      <h3 id="contact" className="mb-1 font-semibold">
        Contact the seller
      </h3>
      <p className="text-muted signed-in:hidden">
        <Link to={signInPath} className="text-link">
          Sign in
        </Link>{' '}
        to see how to reach {listing.Seller}.
      </p>
      <div className="hidden signed-in:block">
        <Content listing={listing} />
      </div>
    </section>
  );
};
