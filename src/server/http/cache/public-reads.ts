import type { FastifyInstance } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** Where what is public is read from; handed in, because http knows no module. */
export interface PublicReads {
  /** Runs a read for the address `path` on a database that knows all the viewer may know. */
  read<A>(asked: { path: string; viewer: Viewer }, work: (db: Db) => Promise<A>): Promise<A>;
  /** Remembers that the viewer changed something, for their next reads; absent where all is read from one database. */
  readonly noteWrite?: ((viewer: Viewer) => Promise<void>) | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    publicReads: PublicReads;
  }
}

/** Runs a handler; where it may have changed something, that is noted before its answer is sent, refusals too. */
export const noteWrite = async <A>(
  app: FastifyInstance,
  { method }: EndpointSpec,
  viewer: Viewer,
  handler: () => Promise<A> | A,
): Promise<A> => {
  const note = app.publicReads.noteWrite;
  if (note === undefined || method === 'GET' || viewer.kind === 'anonymous') return await handler();
  try {
    return await handler();
  } finally {
    await note(viewer);
  }
};
