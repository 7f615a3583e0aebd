import { isRouteErrorResponse, Link, useRevalidator, useRouteError } from 'react-router';
import { Button, buttonClass } from '#web/ui/button.tsx';
import type { LoadFailure } from './load.ts';
import { SignOutButton } from './sign-out.tsx';

interface Told {
  readonly status: number | undefined;
  readonly title: string;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly canRetry: boolean;
}

const TITLES: Record<number, string> = {
  403: 'Not your shelf',
  404: 'Not Found',
  429: 'A little slower, please',
  503: 'We will be right back',
};

const isFailure = (value: unknown): value is LoadFailure =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

const toldOf = (error: unknown): Told => {
  if (!isRouteErrorResponse(error)) {
    const message = 'Something went wrong on this page. Trying again often helps.';
    return { status: undefined, title: 'Something went wrong', message, requestId: undefined, canRetry: true };
  }
  const failure = isFailure(error.data) ? error.data : undefined;
  const title = TITLES[error.status] ?? (error.statusText || 'Something went wrong');
  const message = failure?.message ?? 'Something went wrong. Trying again often helps.';
  return { status: error.status, title, message, requestId: failure?.requestId, canRetry: error.status >= 429 };
};

/** What happened, what to do about it, and the way out; in the place of the page that failed. */
export const ErrorPage = () => {
  const { status, title, message, requestId, canRetry } = toldOf(useRouteError());
  const { revalidate, state } = useRevalidator();
  return (
    <section className="page flex flex-col items-center gap-4 py-20 text-center sm:py-28">
      {status !== undefined && <p className="font-serif text-6xl font-bold text-primary">{status}</p>}
      <h1 className="font-serif text-3xl font-semibold">{title}</h1>
      <p className="max-w-prose text-muted">{message}</p>
      {requestId !== undefined && canRetry && (
        <p className="text-sm text-muted">If it stays so, tell us the number {requestId}.</p>
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {canRetry && (
          <Button busy={state === 'loading'} onClick={() => void revalidate()}>
            Try again
          </Button>
        )}
        <Link to="/" className={buttonClass(canRetry ? 'secondary' : 'primary')}>
          Back to homepage
        </Link>
        <SignOutButton look="secondary" />
      </div>
    </section>
  );
};
