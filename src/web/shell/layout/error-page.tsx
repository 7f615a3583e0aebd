import { useCallback, useEffect, useState } from 'react';
import { isRouteErrorResponse, Link, useRevalidator, useRouteError } from 'react-router';
import { isShopReachable } from '#web/api/reachable.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { OfflineIcon } from '#web/ui/icons.tsx';
import type { LoadFailure, NextStep } from '#web/shell/data/load.ts';
import { useSignInPath } from '#web/shell/data/sign-in-path.ts';
import { SignOutButton } from './sign-out.tsx';

interface Told {
  /** Absent when the shop was not reached at all. */
  readonly status: number | undefined;
  readonly title: string;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly canRetry: boolean;
  readonly next?: NextStep | undefined;
}

const TITLES: Record<number, string> = {
  403: 'You don’t have access to this page',
  404: 'Not Found',
  429: 'A little slower, please',
  503: 'We will be right back',
};

/** "Not yours" and "does not exist" stay true; anything else may pass. */
const LASTING = new Set([403, 404]);

const UNREACHED: Told = {
  status: undefined,
  title: 'The shop cannot be reached',
  message: 'This page is not here yet. Check your connection; it is loaded as soon as you are back online.',
  requestId: undefined,
  canRetry: true,
};

const isFailure = (value: unknown): value is LoadFailure =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

const toldOf = (error: unknown): Told => {
  if (!isRouteErrorResponse(error)) {
    const message = 'Something went wrong on this page. Trying again often helps.';
    return { status: undefined, title: 'Something went wrong', message, requestId: undefined, canRetry: true };
  }
  const failure = isFailure(error.data) ? error.data : undefined;
  if (failure?.code === 'offline' || failure?.code === 'timeout') return { ...UNREACHED, message: failure.message };
  const title = TITLES[error.status] ?? 'Something went wrong';
  const message = failure?.message ?? 'Something went wrong. Trying again often helps.';
  const canRetry = failure?.canRetry ?? !LASTING.has(error.status);
  return { status: error.status, title, message, requestId: failure?.requestId, canRetry, next: failure?.next };
};

const Message = ({ told, busy, onRetry }: { told: Told; busy: boolean; onRetry: () => void }) => {
  const { status, title, message, requestId, canRetry, next } = told;
  const signInPath = useSignInPath();
  return (
    <section className="page flex flex-col items-center gap-4 py-20 text-center sm:py-28">
      {title === UNREACHED.title && <OfflineIcon className="size-14 text-primary" />}
      {status !== undefined && <p className="font-serif text-6xl font-bold text-primary">{status}</p>}
      <h1 className="font-serif text-3xl font-semibold">{title}</h1>
      <p className="max-w-prose text-muted">{message}</p>
      {requestId !== undefined && canRetry && (
        <p className="text-sm text-muted">If it stays so, tell us the number {requestId}.</p>
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {canRetry && (
          <Button busy={busy} onClick={onRetry}>
            Try again
          </Button>
        )}
        {next !== undefined && (
          <Link to={next.to} className={buttonClass(canRetry ? 'secondary' : 'primary')}>
            {next.label}
          </Link>
        )}
        <Link to="/" className={buttonClass(canRetry || next !== undefined ? 'secondary' : 'primary')}>
          Back to homepage
        </Link>
        <SignOutButton look="secondary" className="hidden signed-in:inline-flex" />
        <Link to={signInPath} className={buttonClass('secondary', 'md', 'signed-in:hidden')}>
          Sign In
        </Link>
      </div>
    </section>
  );
};

/** Calls `retry` as soon as the machine is online again. */
const useRetryOnline = (retry: () => void, isOn: boolean): void =>
  useEffect(() => {
    if (!isOn) return undefined;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [retry, isOn]);

/** Fetches this document anew when the shop answers; whether it does. */
const reloadOnceReachable = async (): Promise<boolean> => {
  const isReachable = await isShopReachable();
  if (isReachable) location.reload();
  return isReachable;
};

/**
 * The page's script did not arrive: there is no connection, or the shop was renewed since this document was loaded. The
 * router remembers that failure, so only a new document helps; it is fetched once the shop answers, and not into
 * nothing.
 */
const NotArrived = () => {
  const [busy, setBusy] = useState(true);
  const probe = useCallback(() => reloadOnceReachable().then((isComing) => isComing || setBusy(false)), []);
  useEffect(() => void probe(), [probe]);
  const again = useCallback((): void => {
    setBusy(true);
    void probe();
  }, [probe]);
  useRetryOnline(again, true);
  return <Message told={UNREACHED} busy={busy} onRetry={again} />;
};

const Failed = ({ error }: { error: unknown }) => {
  const { revalidate, state } = useRevalidator();
  const told = toldOf(error);
  const again = useCallback((): void => void revalidate(), [revalidate]);
  useRetryOnline(again, told.title === UNREACHED.title);
  return <Message told={told} busy={state === 'loading'} onRetry={again} />;
};

/** What happened, what to do about it, and the way out; in the place of the page that failed. */
export const ErrorPage = () => {
  const error = useRouteError();
  // So named by the build, which keeps the router from reloading the document instead (vite.config.ts).
  if (error instanceof Error && error.name === 'RouteModuleError') return <NotArrived />;
  return <Failed error={error} />;
};
