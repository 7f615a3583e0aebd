import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams, type MetaFunction } from 'react-router';
import { messageOf } from '#web/api/api-error.ts';
import { PROVIDER_NAMES } from '#contract/users/social.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { fromQuery, returnPath } from '#web/shell/data/return-path.ts';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { PageTurning } from '#web/account/sign-in/page-turning.tsx';
import { arrive } from '#web/shell/social/social-arrival.ts';
import { isOurWindow, isProvider, isSuccess, tellAndClose } from '#web/shell/social/social-window.ts';
import { isFailure } from '#web/shell/social/social-words.ts';
import type { CarriedFailure } from '#web/shell/social/use-social.ts';

export const meta: MetaFunction = () => [...pageMeta('Signing in'), { name: 'robots', content: 'noindex' }];

const PAGES: Record<string, string> = { login: '/login', register: '/register', account: '/dashboard/account' };

/**
 * Where every way to a service and back ends. In a window of its own it tells the page that waits and closes; else it
 * leads on, or back to the page it began on, with what went wrong. The address says what came of it, and whoever made
 * it up gains nothing: who is signed in is asked of the shop.
 */
const SocialReturn = () => {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const begun = useRef(false);
  const [stays, setStays] = useState(false);
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const [provider, outcome] = [query.get('provider'), query.get('outcome')];
    const page = PAGES[query.get('page') ?? ''];
    const from = returnPath(query.get('from'));
    const leadBack = async (): Promise<void> => {
      if (!isProvider(provider) || !(isSuccess(outcome) || isFailure(outcome))) return navigate('/', { replace: true });
      if (query.get('popup') === '1' || (page === undefined && isOurWindow())) {
        tellAndClose(provider, outcome);
        return setStays(true);
      }
      if (isSuccess(outcome) && outcome !== 'linked' && page !== '/dashboard/account') {
        if (await arrive({ provider, outcome, from }, navigate)) return undefined;
        return navigate(`/login${fromQuery(from)}`, { replace: true });
      }
      if (outcome === 'linked') toast(`${PROVIDER_NAMES[provider]} is linked`);
      const state: CarriedFailure | undefined = isFailure(outcome)
        ? { social: { provider, failure: outcome } }
        : undefined;
      return navigate(`${page ?? '/login'}${fromQuery(from)}`, { replace: true, state });
    };
    leadBack().catch((error: unknown) => setProblem(messageOf(error)));
  }, [navigate, query]);

  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 bg-base-100 p-6 text-center">
      <PageTurning turning={problem === undefined && !stays} className="w-40" />
      <h1 className="font-serif text-2xl font-semibold">{stays ? 'Done here' : 'Just a moment'}</h1>
      <div role="status">
        {stays ? <p>You can close this window and go on in the other one.</p> : <p>We are taking you back.</p>}
      </div>
      {problem !== undefined && (
        <Notice
          tone="error"
          title="You could not be taken back"
          action={
            <a href="/login" rel="external" className="text-link">
              To the sign-in page
            </a>
          }
        >
          {problem}
        </Notice>
      )}
    </main>
  );
};
export default SocialReturn;
