import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as calls from '#contract/users/identity.ts';
import { bearerOf, clearSessionCookie, deviceTokenOf, sessionTokenOf, setSessionCookies } from '#server/http/auth.ts';
import { perAccount, perNetwork } from '#server/http/rate-limits.ts';
import { serve, type CallContext } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { SignedIn, Viewer } from '#server/platform/viewer.ts';
import { saveProfile, signInUser, signUpUser } from './identity.service.ts';
import { becomeRole, hasRole } from '#server/identity/users/roles.service.ts';
import { endSession, readSession, renewAccessToken } from './sessions.service.ts';

const isSignedIn = (viewer: Viewer): viewer is SignedIn => viewer.kind === 'signed-in';

/** Accounts, sessions, access tokens and roles. */
export const identityRoutes = (app: FastifyInstance, { db, config }: { db: Db; config: Config }): void => {
  const senderOf = ({ ip, userAgent, reply }: CallContext) => ({
    ip,
    userAgent,
    replaces: sessionTokenOf(reply.request),
    device: deviceTokenOf(reply.request),
  });

  /** Whoever the cookie and the bearer token of a request belong to: usually one and the same session. */
  const signedInBy = async (request: FastifyRequest): Promise<SignedIn[]> => {
    const cookie = sessionTokenOf(request);
    const bearer = bearerOf(request);
    const viewers = [
      ...(cookie === undefined ? [] : [await app.credentials.viewerOfSessionToken(cookie)]),
      ...(bearer === undefined ? [] : [await app.credentials.viewerOfAccessToken(bearer)]),
    ];
    return viewers.filter(isSignedIn);
  };

  serve(app, calls.signUp, 'own-check', async (call) => {
    const { user, session } = await signUpUser(db, config, { ...call.body, ...senderOf(call) });
    setSessionCookies(call.reply, session);
    return { user };
  });

  serve(app, calls.signIn, { guard: 'own-check', limits: [perNetwork(100, 15)] }, async (call) => {
    const { user, session } = await signInUser(db, config, { ...call.body, ...senderOf(call) });
    setSessionCookies(call.reply, session);
    return { user };
  });

  serve(app, calls.readSession, 'own-check', async ({ reply }) => {
    const [viewer] = await signedInBy(reply.request);
    return { user: viewer === undefined ? null : await readSession(db, viewer) };
  });

  serve(app, calls.signOut, 'leaving', async ({ reply }) => {
    clearSessionCookie(reply);
    for (const viewer of await signedInBy(reply.request)) await endSession(db, viewer);
    return null;
  });

  serve(app, calls.issueAccessToken, 'cookie', async ({ viewer, query }) => ({
    accessToken: await renewAccessToken(db, config, viewer, query.email),
  }));

  serve(app, calls.saveProfile, { guard: 'session', limits: [perAccount(120)] }, async ({ viewer, body }) => ({
    acknowledged: true,
    insertedId: await saveProfile(db, viewer, body),
  }));

  serve(app, calls.isAdmin, 'anyone', async ({ viewer, params }) => ({
    isAdmin: await hasRole(db, viewer, params.email, 'admin'),
  }));

  serve(app, calls.isBuyer, 'anyone', async ({ viewer, params }) => ({
    isBuyer: await hasRole(db, viewer, params.email, 'buyer'),
  }));

  serve(app, calls.isSeller, 'anyone', async ({ viewer, params }) => ({
    isSeller: await hasRole(db, viewer, params.email, 'seller'),
  }));

  serve(app, calls.becomeBuyer, 'session', async ({ viewer, query }) => ({
    modifiedCount: await becomeRole(db, config, viewer, { email: query.email, role: 'buyer' }),
  }));

  serve(app, calls.becomeSeller, 'session', async ({ viewer, query }) => ({
    modifiedCount: await becomeRole(db, config, viewer, { email: query.email, role: 'seller' }),
  }));
};
