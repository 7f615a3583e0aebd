import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listOwnDecisions } from '#contract/admin/reports.ts';
import { readMailChoices } from '#contract/notices/notices.ts';
import { readDeclaration } from '#contract/law/declaration.ts';
import { readOwnSellerPage } from '#contract/sellers/sellers.ts';
import { listSessions, readAccount } from '#contract/users/account.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ReauthenticationDialog } from '#web/shell/reauthentication/reauthentication-dialog.tsx';
import { DecisionsSection } from './decisions-section.tsx';
import { DeclarationSection } from './declaration-section.tsx';
import { DataSection, DeleteSection } from './data-section.tsx';
import { MailSection } from '#web/account/mail/mail-section.tsx';
import { LinkedAccounts } from '#web/account/social/linked-accounts.tsx';
import { PasskeysSection } from '#web/account/passkeys/passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SellerPageSection } from './seller-page-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export const meta: MetaFunction = () => pageMeta('Account');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api, { roles }) => {
    const [account, { sessions }, choices, decisions, own, declared] = await Promise.all([
      api.call(readAccount, {}),
      api.call(listSessions, {}),
      api.call(readMailChoices, {}),
      api.callPage(listOwnDecisions, { query: { limit: '100' } }),
      roles.includes('seller') ? api.call(readOwnSellerPage, {}) : undefined,
      roles.includes('seller') ? api.call(readDeclaration, {}) : undefined,
    ]);
    return { account, sessions, choices, decisions, own, declared, nowMs: Date.now() };
  });

const AccountPage = () => {
  const { account, sessions, choices, decisions, own, declared, nowMs } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  return (
    <>
      <PageHeading title="Account">You are signed in as {account.email}.</PageHeading>
      <DecisionsSection decisions={decisions.rows} />
      <ProfileSection account={account} />
      {own !== undefined && <SellerPageSection own={own} />}
      {declared !== undefined && <DeclarationSection own={declared} />}
      <PasswordSection account={account} />
      <PasskeysSection account={account} nowMs={nowMs} />
      <LinkedAccounts />
      <SessionsSection sessions={sessions} nowMs={nowMs} />
      <MailSection choices={choices} />
      <DataSection />
      <DeleteSection />
      <ReauthenticationDialog />
    </>
  );
};
export default AccountPage;
