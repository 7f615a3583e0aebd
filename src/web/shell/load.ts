import { createContext, data, type RouterContextProvider } from 'react-router';
import type { Transport } from '#web/api/answer.ts';
import { ApiError } from '#web/api/api-error.ts';
import { browserApi } from '#web/api/call.ts';
import { anonymousApi, type Api } from '#web/api/client.ts';
import { keepShown } from './shown.ts';

/** How loaders on the server reach the API: in process, given with each request. */
export const transportContext = createContext<Transport>();

/** The API for a loader on the server: in process, as nobody, because public pages are the same for everyone. */
export const serverApi = (context: Readonly<RouterContextProvider>): Api => anonymousApi(context.get(transportContext));

/** What the error page is told about a call that failed while a page was loading. */
export interface LoadFailure {
  readonly message: string;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Asking again may help, whatever the status says. */
  readonly canRetry?: boolean;
}

/** Throws what the router makes an error page of, with the status of the refusal; an unanswered or unreadable one counts as 503. */
export const throwForRouter = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error;
  const { message, code, requestId } = error;
  const failure: LoadFailure = { message, code, requestId };
  const headers = new Headers();
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds));
  throw data(failure, { status: error.status < 400 ? 503 : error.status, headers });
};

/** Runs `load` for a route's `loader`; refusals become the route's error page. */
export const loadOnServer = <T>(context: Readonly<RouterContextProvider>, load: (api: Api) => Promise<T>): Promise<T> =>
  load(serverApi(context)).catch(throwForRouter);

/**
 * Runs the same `load` for the route's `clientLoader`, as whoever is signed in. With the `request`, the page stays as it was when
 * it is read again and that fails for now.
 */
export const loadInBrowser = <T>(load: (api: Api) => Promise<T>, request?: Request): Promise<T> =>
  keepShown(request?.url, () => load(browserApi)).catch(throwForRouter);
