import { useRef, useState } from 'react';
import {
  useLoaderData,
  useNavigate,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { becomeBuyer, becomeSeller } from '#contract/identity.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { endSession } from '#web/api/session.ts';
import { requireUser } from '#web/shell/guard.ts';
import { pageMeta } from '#web/shell/page-meta.ts';
import { returnPath } from '#web/shell/return-path.ts';
import { ArrowIcon } from '#web/ui/icons.tsx';
import { Notice, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { AgainDialog } from './again-dialog.tsx';
import { withFreshSignIn } from './again.ts';
import { signInPath } from './credentials.ts';

export const meta: MetaFunction = () => [...pageMeta('Buyer or Seller'), { name: 'robots', content: 'noindex' }];

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => requireUser(request);

const TYPES = [
  {
    name: 'Buyer',
    call: becomeBuyer,
    done: 'Make buyer Successful',
    about: 'Find second-hand books, book a copy so that nobody takes it from you, and pay by card.',
  },
  {
    name: 'Seller',
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
  const choosing = useRef(false);
  const [chosen, setChosen] = useState<string>();
  const [failure, setFailure] = useState<string>();

  const choose = async (type: UserType): Promise<void> => {
    if (choosing.current) return;
    choosing.current = true;
    setChosen(type.name);
    setFailure(undefined);
    try {
      // A second role needs a fresh sign-in; the first does not.
      await withFreshSignIn(() => call(type.call, { query: { email: user.email } }));
      const target = returnPath(query.get('from'));
      // The choice ends the sign-up. When the shop cannot be told, the person is still signed in and goes on as they are.
      const isOut = await endSession().then(
        () => true,
        () => false,
      );
      toast(type.done, isOut ? { text: 'Please sign in to go on.' } : {});
      await navigate(isOut ? signInPath(user.email, target) : target, { replace: true });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      choosing.current = false;
      setChosen(undefined);
    }
  };

  return (
    <div className="page max-w-4xl py-10 sm:py-16">
      <h1 className="text-center font-serif text-3xl font-semibold">How will you use Dogear?</h1>
      <p className="mt-2 text-center text-muted">
        Choose one to finish your account. Then you sign in and are ready to go.
      </p>
      <div className="mt-8 grid gap-4 sm:grid-cols-2">
        {TYPES.map((type) => (
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
      <AgainDialog />
    </div>
  );
};
export default UserTypePage;

export const HydrateFallback = () => (
  <div className="page max-w-4xl py-10 sm:py-16" role="status">
    <span className="sr-only">Loading</span>
    <Skeleton className="mx-auto h-9 w-72" />
    <div className="mt-16 grid gap-4 sm:grid-cols-2">
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  </div>
);
