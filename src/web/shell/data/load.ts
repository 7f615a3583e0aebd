import { createContext, data, type RouterContextProvider } from 'react-router';
import type { Transport } from '#web/api/answer.ts';
import { ApiError } from '#web/api/api-error.ts';
import { browserApi } from '#web/api/call.ts';
import { anonymousApi, type Api } from '#web/api/client.ts';
import { withLastKnownGood } from './last-known-good.ts';

/** How loaders on the server reach the API: in process, given with each request. */
export const transportContext = createContext<Transport>();

/** The zone that the server renders times in, given with each request. */
export const timeZoneContext = createContext<string>();

/** Whether the shop is a demo, given with each request. */
export const demoContext = createContext<boolean>();

/** The API for a loader on the server: in process, as nobody, because public pages are the same for everyone. */
export const serverApi = (context: Readonly<RouterContextProvider>): Api => anonymousApi(context.get(transportContext));

/** Where the error page leads on to. */
export interface NextStep {
  readonly to: string;
  readonly label: string;
}

/** What a page says in its own words when the thing that its address names is not there. */
export interface Missing {
  readonly message: string;
  readonly next: NextStep;
}

/** What the error page is told about a call that failed while a page was loading. */
export interface LoadFailure {
  readonly message: string;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Asking again may help, whatever the status says. */
  readonly canRetry?: boolean;
  /** What to do instead. */
  readonly next?: NextStep | undefined;
}

/** Refuses a page because what it is about is not there. */
export const throwMissing = ({ message, next }: Missing): never => {
  throw data({ message, code: 'not_found', requestId: undefined, next } satisfies LoadFailure, { status: 404 });
};

/**
 * Throws what the router makes an error page of, with the status of the refusal; an unanswered or unreadable one counts
 * as 503. What is not there is told in the words of `missing`.
 */
export const throwForRouter = (error: unknown, missing?: Missing): never => {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404 && missing !== undefined) throwMissing(missing);
  const { message, code, requestId } = error;
  const failure: LoadFailure = { message, code, requestId };
  const headers = new Headers();
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds));
  throw data(failure, { status: error.status < 400 ? 503 : error.status, headers });
};

/** Runs `load` for a route's `loader`; refusals become the route's error page. */
export const loadOnServer = <T>(
  context: Readonly<RouterContextProvider>,
  load: (api: Api) => Promise<T>,
  missing?: Missing,
): Promise<T> => load(serverApi(context)).catch((error: unknown) => throwForRouter(error, missing));

/**
 * Runs the same `load` for the route's `clientLoader`, as whoever is signed in. With the `request`, the page stays as
 * it was when it is read again and that fails for now.
 */
export const loadInBrowser = <T>(load: (api: Api) => Promise<T>, request?: Request, missing?: Missing): Promise<T> =>
  withLastKnownGood(request?.url, () => load(browserApi)).catch((error: unknown) => throwForRouter(error, missing));
