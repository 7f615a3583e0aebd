import { useRef, useState } from 'react';
import {
  Link,
  useLoaderData,
  useNavigate,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { becomeBuyer, becomeSeller } from '#contract/users/identity.ts';
import { isListingForm } from '#contract/routes.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { endSession, refreshSession } from '#web/api/session.ts';
import { carryToast } from '#web/shell/data/carried-toast.ts';
import { requireUser } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { leadsToSelling, returnPath } from '#web/shell/data/return-path.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ArrowIcon } from '#web/ui/arrow-icon.tsx';
import { NeedsScripts, Notice, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { ReauthenticationDialog } from '#web/shell/reauthentication/reauthentication-dialog.tsx';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { NEWCOMER, signInPath } from '#web/shell/sign-in/credentials.ts';

export const meta: MetaFunction = () => [...pageMeta('Buyer or Seller'), { name: 'robots', content: 'noindex' }];

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => requireUser(request);

const TYPES = [
  {
    name: 'Buyer',
    role: 'buyer',
    call: becomeBuyer,
    done: 'Make buyer Successful',
    about: 'Find second-hand books, book a copy so that nobody takes it from you, and pay by card.',
  },
  {
    name: 'Seller',
    role: 'seller',
    call: becomeSeller,
    done: 'Make Seller Successful',
    about: 'List the books you have read and sell them to people who look for them.',
  },
] as const;

type UserType = (typeof TYPES)[number];

const UserTypePage = () => {
  const user = useLoaderData<typeof clientLoader>();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const target = returnPath(query.get('from'));
  const choosing = useRef(false);
  const [chosen, setChosen] = useState<string>();
  const [failure, setFailure] = useState<string>();

  const choose = async (type: UserType): Promise<void> => {
    if (choosing.current) return;
    choosing.current = true;
    setChosen(type.name);
    setFailure(undefined);
    try {
      // Becoming a seller later needs a fresh sign-in; all else does not.
      const { modifiedCount } = await withFreshSignIn(() => call(type.call, { query: { email: user.email } }));
      if (modifiedCount > 0 && user.roles.length === 0) {
        // The choice ends the sign-up.
        await endSession();
        toast(type.done, { text: 'Please sign in to go on.' });
        const next = type.role === 'buyer' && leadsToSelling(target) ? '/' : target;
        await navigate(signInPath(user.email, next), { replace: true, state: NEWCOMER });
        return;
      }
      // Who had a type before stays signed in, and so does who chose the same in another tab a moment ago.
      await refreshSession();
      if (modifiedCount > 0 && isListingForm(new URL(target, location.href).pathname)) {
        // What that page may do is said when its document is loaded; the notice follows there.
        carryToast(type.done);
        location.replace(target);
        return;
      }
      if (modifiedCount > 0) toast(type.done);
      else toast(`You are a ${type.role} already`, { tone: 'info' });
      await navigate(target, { replace: true });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      choosing.current = false;
      setChosen(undefined);
    }
  };

  const open = TYPES.filter(({ role }) => !user.roles.includes(role));
  if (open.length === 0) {
    return (
      <div className="page min-h-dvh max-w-4xl py-10 sm:py-16">
        <h1 className="text-center font-serif text-3xl font-semibold">You are a buyer and a seller</h1>
        <p className="mt-2 text-center text-muted">
          Your account has both types already, so there is nothing left to choose.
        </p>
        <p className="mt-8 text-center">
          <Link to="/dashboard" className={buttonClass()}>
            Your dashboard
          </Link>
        </p>
      </div>
    );
  }
  const had = TYPES.find((type) => !open.includes(type));
  return (
    <div className="page min-h-dvh max-w-4xl py-10 sm:py-16">
      <h1 className="text-center font-serif text-3xl font-semibold">How will you use Dogear?</h1>
      <p className="mt-2 text-center text-muted">
        {had === undefined
          ? 'Choose one to finish your account. Then you sign in and are ready to go.'
          : `You are a ${had.role} already. You can add the other type, and you stay signed in.`}
      </p>
      <div className={classes('mt-8 grid gap-4', open.length > 1 ? 'sm:grid-cols-2' : 'mx-auto max-w-md')}>
        {open.map((type) => (
          <button
            key={type.name}
            type="button"
            className="group flex min-h-44 flex-col gap-2 rounded-box border-2 border-base-300 bg-base-100 p-6 text-left hover:border-primary aria-busy:border-primary"
            aria-busy={chosen === type.name || undefined}
            aria-disabled={chosen !== undefined || undefined}
            onClick={() => void choose(type)}
          >
            <span className="flex items-center justify-between font-serif text-2xl font-semibold">
              {type.name}
              {chosen === type.name ? (
                <span className="loading loading-spinner text-primary" aria-hidden="true" />
              ) : (
                <ArrowIcon className="size-6 text-primary" />
              )}
            </span>
            <span className="text-muted">{type.about}</span>
          </button>
        ))}
      </div>
      {failure !== undefined && (
        <div className="mt-6">
          <Notice tone="error" title="Your choice was not saved">
            {failure} Choose again to retry.
          </Notice>
        </div>
      )}
      <ReauthenticationDialog />
    </div>
  );
};
export default UserTypePage;

export const HydrateFallback = () => (
  <div className="page min-h-dvh max-w-4xl py-10 sm:py-16" role="status">
    <NeedsScripts what="This page" />
    <span className="sr-only noscript:hidden">Loading</span>
    <Skeleton className="mx-auto h-9 w-72" />
    <div className="mt-16 grid gap-4 sm:grid-cols-2">
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  </div>
);
