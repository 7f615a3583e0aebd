import interUrl from '#web/ui/fonts/inter-latin.woff2?url';
import literataUrl from '#web/ui/fonts/literata-latin.woff2?url';
import { useContext, type ReactNode } from 'react';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type LinksFunction,
  type LoaderFunctionArgs,
} from 'react-router';
import stylesUrl from './app.css?url';
import { ErrorPage } from './shell/layout/error-page.tsx';
import { HEAD_SCRIPT } from './shell/theme/head-script.ts';
import { demoContext, timeZoneContext } from './shell/data/load.ts';
import { NonceContext } from './shell/theme/nonce.ts';
import type { RootData } from './shell/layout/page-meta.ts';
import { THEME_COLORS } from './shell/theme/theme-colors.ts';
import { Toasts } from './ui/toast/toast.tsx';

const font = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const;

export const links: LinksFunction = () => [
  // Nothing is painted before the styles: the first thing to ask for.
  { rel: 'preload', as: 'style', href: stylesUrl },
  font(literataUrl),
  font(interUrl),
  { rel: 'stylesheet', href: stylesUrl },
  { rel: 'icon', sizes: '32x32', href: '/favicon.ico' },
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

/** The origin is the configured one, whatever address a request claimed (http/web.ts builds it so). */
export const loader = ({ request, context }: LoaderFunctionArgs): RootData => ({
  origin: new URL(request.url).origin,
  timeZone: context.get(timeZoneContext),
  demo: context.get(demoContext),
});

/** The shop does not move while somebody looks at it. */
export const shouldRevalidate = (): boolean => false;

/**
 * The document around every page. Theme and session are set on <html> by the head script, which React must leave alone.
 */
export const Layout = ({ children }: { children: ReactNode }) => {
  const nonce = useContext(NonceContext);
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={THEME_COLORS.light} />
        {/* It has run before React is there, which leaves it as it was sent. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? HEAD_SCRIPT : '' }}
        />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Toasts />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
};

const Root = () => <Outlet />;
export default Root;

/** Last resort, when even the header could not be drawn. */
export const ErrorBoundary = () => (
  <main>
    <ErrorPage />
  </main>
);
