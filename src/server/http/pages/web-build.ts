import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CreateRequestHandlerFunction, RouterContextProvider, ServerBuild } from 'react-router';

const BUILD = path.join(import.meta.dirname, '../../../../build');

/** Where the built files lie that browsers ask for. */
export const CLIENT_FOLDER = path.join(BUILD, 'client');

/** One call of the API, in process; what the web's `Transport` asks for. */
export type InProcessApi = (request: {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}) => Promise<{ status: number; header(name: string): string | null; body: string }>;

/** What one rendering is given. */
export interface RenderDeps {
  readonly api: InProcessApi;
  /** The shop's own zone: what a page says of times is the same for everyone. */
  readonly timeZone: string;
  /** Whether pages offer what only a demo answers. */
  readonly demo: boolean;
  /** Marks the page's own inline scripts; absent in development, whose policy lets all in. */
  readonly nonce: string | undefined;
  readonly report: (error: unknown) => void;
}

/** A page, or what the router answers instead of one. */
export interface Rendered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Answers a request for a page. */
export type Renderer = (request: Request, deps: RenderDeps) => Promise<Rendered>;

/** What the build's entry gives beside what the router asks of it; see src/web/entry.server.tsx. */
interface WebEntry {
  readonly createRequestHandler: CreateRequestHandlerFunction;
  requestContext(deps: RenderDeps): RouterContextProvider;
  htmlOf(response: Response): Buffer | undefined;
}

/**
 * The renderer of a build of `src/web`. Router and context are the build's own: another copy would not share their
 * keys.
 */
export const rendererOf = (build: ServerBuild, mode: 'production' | 'development'): Renderer => {
  const entry = build.entry.module as unknown as WebEntry;
  const handle = entry.createRequestHandler(build, mode);
  return async (request, deps) => {
    const response = await handle(request, entry.requestContext(deps));
    const body = entry.htmlOf(response) ?? Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  };
};

const SERVER_FILE = path.join(BUILD, 'server', 'index.js');

/** Throws a sentence when there is no production build. */
export const requireBuild = (): void => {
  if (!existsSync(SERVER_FILE)) throw new Error('The web is not built: npm start builds it.');
};

/** Loads the production build. */
export const loadRenderer = async (): Promise<Renderer> => {
  const build: ServerBuild = await import(pathToFileURL(SERVER_FILE).href);
  return rendererOf(build, 'production');
};
