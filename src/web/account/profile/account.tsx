import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listSessions, readAccount } from '#contract/users/account.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ReauthenticationDialog } from '#web/shell/reauthentication/reauthentication-dialog.tsx';
import { DataSection, DeleteSection } from './data-section.tsx';
import { LinkedAccounts } from '#web/account/social/linked-accounts.tsx';
import { PasskeysSection } from '#web/account/passkeys/passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export const meta: MetaFunction = () => pageMeta('Account');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api) => {
    const [account, { sessions }] = await Promise.all([api.call(readAccount, {}), api.call(listSessions, {})]);
    return { account, sessions, nowMs: Date.now() };
  });

const AccountPage = () => {
  const { account, sessions, nowMs } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  return (
    <>
      <PageHeading title="Account">You are signed in as {account.email}.</PageHeading>
      <ProfileSection account={account} />
      <PasswordSection account={account} />
      <PasskeysSection account={account} nowMs={nowMs} />
      <LinkedAccounts />
      <SessionsSection sessions={sessions} nowMs={nowMs} />
      <DataSection />
      <DeleteSection />
      <ReauthenticationDialog />
    </>
  );
};
export default AccountPage;
