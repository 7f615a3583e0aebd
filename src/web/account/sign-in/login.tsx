import {
  Link,
  Navigate,
  useLoaderData,
  useLocation,
  useSearchParams,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { fromQuery, returnPath } from '#web/shell/data/return-path.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import { AccountFrame } from './account-frame.tsx';
import { DemoPeople } from './demo-people.tsx';
import { isNewcomer } from '#web/shell/sign-in/credentials.ts';
import { PasskeySignIn } from '#web/shell/sign-in/passkey-sign-in.tsx';
import { SignInForm, useSignIn } from '#web/shell/sign-in/sign-in-form.tsx';
import { SocialButtons } from '#web/shell/social/social-buttons.tsx';
import { loadWays } from '#web/shell/social/social-ways.ts';
import { useSocial } from '#web/shell/social/use-social.ts';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'Sign In',
    description: 'Sign in to Dogear to book second-hand books or to sell your own.',
    path: '/login',
  });

export const loader = ({ context }: LoaderFunctionArgs) => loadOnServer(context, loadWays);
export const clientLoader = () => loadInBrowser(loadWays);

const Login = () => {
  const { ways } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const target = returnPath(query.get('from'));
  const session = useSession();
  const { state } = useLocation();
  const welcome = (name: string): string =>
    isNewcomer(state) ? `Welcome to Dogear, ${name}.` : `Welcome back, ${name}.`;
  const form = useSignIn(welcome);
  const social = useSocial({ page: 'login', from: target });
  if (session.status === 'in' && !social.arriving) return <Navigate to={target} replace />;
  return (
    <AccountFrame
      title="Sign In"
      words="Every book here has been read, loved, and is ready to be read again."
      turning={form.button.busy || social.busy !== undefined}
      aside={
        <>
          New to Dogear?{' '}
          <Link to={`/register${fromQuery(target)}`} className="text-link">
            Create Account
          </Link>
        </>
      }
    >
      <SignInForm form={form} email={query.get('email') ?? ''} />
      <PasskeySignIn onSignedIn={({ displayName }) => toast('Sign In!', { text: welcome(displayName) })} />
      <SocialButtons what="sign-in" social={social} ways={ways} />
      <DemoPeople form={form} />
      <p className="text-center text-sm text-muted">
        By signing in you accept our{' '}
        <Link to="/#terms" className="text-link">
          Terms
        </Link>{' '}
        and{' '}
        <Link to="/#privacy" className="text-link">
          Privacy
        </Link>{' '}
        notice.
      </p>
    </AccountFrame>
  );
};
export default Login;
