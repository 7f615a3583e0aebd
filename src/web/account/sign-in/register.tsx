import { useState } from 'react';
import {
  Link,
  Navigate,
  useLoaderData,
  useNavigate,
  useSearchParams,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { fromQuery, leadsToSelling, returnPath } from '#web/shell/data/return-path.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { AccountFrame } from './account-frame.tsx';
import { RegistrationForm, useRegistration } from '#web/shell/sign-in/registration-form.tsx';
import { SocialButtons } from '#web/shell/social/social-buttons.tsx';
import { loadWays } from '#web/shell/social/social-ways.ts';
import { useSocial } from '#web/shell/social/use-social.ts';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'Create Account',
    description: 'Create a Dogear account to book second-hand books, or to sell the ones you have read.',
    path: '/register',
  });

export const loader = ({ context }: LoaderFunctionArgs) => loadOnServer(context, loadWays);
export const clientLoader = () => loadInBrowser(loadWays);

const Register = () => {
  const { ways } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const target = returnPath(query.get('from'));
  const session = useSession();
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  const form = useRegistration(async () => {
    // Until this page is gone: going there a second time would close what was opened there meanwhile.
    setLeaving(true);
    await navigate(`/user_type${fromQuery(target)}`, { replace: true });
  });
  const social = useSocial({ page: 'register', from: target });
  if (session.status === 'in' && !form.button.busy && !isLeaving && !social.arriving) {
    const { roles } = session.user;
    const isChoosing = roles.length === 0 || (leadsToSelling(target) && !roles.includes('seller'));
    return <Navigate to={isChoosing ? `/user_type${fromQuery(target)}` : target} replace />;
  }
  return (
    <AccountFrame
      title="Create Account"
      words="Give a good book a second reader, or be that reader yourself."
      turning={form.button.busy || social.busy !== undefined}
      aside={
        <>
          Already with us?{' '}
          <Link to={`/login${fromQuery(target)}`} className="text-link">
            Sign In
          </Link>
        </>
      }
    >
      <RegistrationForm form={form} />
      <SocialButtons what="sign-up" social={social} ways={ways} />
    </AccountFrame>
  );
};
export default Register;
