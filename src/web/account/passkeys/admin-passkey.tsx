import { useState } from 'react';
import {
  Link,
  redirect,
  useLoaderData,
  useNavigate,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { readAccount } from '#contract/users/account.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { returnPath } from '#web/shell/data/return-path.ts';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { ReauthenticationDialog, WaysToConfirm } from '#web/shell/reauthentication/reauthentication-dialog.tsx';
import { knowsPasskeys } from '#web/shell/sign-in/passkey-browser.ts';
import { PasskeyDialog } from './passkey-dialogs.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

const TITLE = 'Admins need a passkey';

export const meta: MetaFunction = () => pageMeta(TITLE);

/** Where the admin wanted to go. */
const targetOf = (from: string | null): string => {
  const target = returnPath(from);
  return target === '/' ? '/dashboard' : target;
};

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api) => {
    const account = await api.call(readAccount, {});
    const { secondFactor } = account;
    // Nothing is missing (any more): on to where they were going.
    if (secondFactor === 'not needed' || secondFactor === 'shown') {
      throw redirect(targetOf(new URL(request.url).searchParams.get('from')));
    }
    return account;
  });

const FirstPasskey = ({ emailProven, onAdded }: { emailProven: boolean; onAdded: () => void }) => {
  const [open, setOpen] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  if (!emailProven) {
    return (
      <Notice title="Confirm your email address first">
        A passkey stays with the address it was added to. The welcome mail has the link, and{' '}
        <Link to="/dashboard/account" className="text-link">
          your account page
        </Link>{' '}
        tells you more.
      </Notice>
    );
  }
  if (!knowsPasskeys()) {
    return <Notice title="This browser does not know passkeys">Open the shop in a current browser.</Notice>;
  }
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        Add a passkey
      </Button>
      <PasskeyDialog
        change={open ? { kind: 'add' } : undefined}
        // There may be codes from before; then there is nothing to be kept.
        onAdded={(fresh) => (fresh === undefined ? onAdded() : setCodes(fresh))}
        onClose={() => setOpen(false)}
      />
      <RecoveryCodesDialog codes={codes} onClose={onAdded} />
      <ReauthenticationDialog />
    </>
  );
};

/** In production admins come by here before their first act: with a first passkey, or to show the one they have. */
const AdminPasskey = () => {
  const account = useLoaderData<typeof clientLoader>();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const goOn = (): void => void navigate(targetOf(query.get('from')), { replace: true });
  const isFirst = account.secondFactor === 'to be made';
  return (
    <div className="flex max-w-xl flex-col gap-6">
      <PageHeading title={TITLE}>
        {isFirst
          ? 'What admins do concerns everybody: a password alone is not enough for it. Add a passkey, keep the ten recovery codes that come with it, and go on.'
          : 'Show your passkey once, and act as an admin for the rest of this sign-in.'}
      </PageHeading>
      {isFirst ? (
        <FirstPasskey emailProven={account.emailProven} onAdded={goOn} />
      ) : (
        <WaysToConfirm account={account} reason="second_factor_needed" onConfirmed={goOn} />
      )}
    </div>
  );
};
export default AdminPasskey;
