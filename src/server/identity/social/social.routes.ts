import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/users/social.ts';
import { deviceTokenOf, sessionTokenOf, setSessionCookies } from '#server/http/auth.ts';
import { hostCookieOf, setHostCookie } from '#server/http/host-cookie.ts';
import { serve, type CallContext } from '#server/http/serve.ts';
import { ANONYMOUS, type Viewer } from '#server/platform/viewer.ts';
import type { SocialDeps, WayCookie } from './flow.service.ts';
import { listLinks, startLink, unlink } from './links.service.ts';
import { SocialRefusal } from './provider.ts';
import { finishSignIn, startSignIn } from './social.service.ts';

/** Holds the secret of a browser that is on its way to a service and back. */
const WAY_COOKIE = 'dogear-way';

/** Google and Github: the way there, the way back, and the accounts that are linked. */
export const socialRoutes = (app: FastifyInstance, deps: SocialDeps): void => {
  const { db } = deps;

  const whoIs =
    ({ reply }: CallContext) =>
    async (): Promise<Viewer> => {
      const cookie = sessionTokenOf(reply.request);
      return cookie === undefined ? ANONYMOUS : app.credentials.viewerOfSessionToken(cookie);
    };
  const browserOf = ({ reply }: CallContext): string | undefined => hostCookieOf(reply.request, WAY_COOKIE);
  const setOff = ({ reply }: CallContext, cookie: WayCookie | undefined): void => {
    if (cookie !== undefined) setHostCookie(reply, WAY_COOKIE, cookie);
  };
  const reporter =
    ({ reply }: CallContext, provider: calls.Provider) =>
    (error: unknown): void => {
      if (!(error instanceof SocialRefusal)) return reply.log.error({ err: error, provider }, 'a social sign-in broke');
      const { failure, message } = error;
      reply.log.warn({ provider, failure, reason: message }, 'a social sign-in failed');
    };

  serve(app, calls.listProviders, 'anyone', () => ({ rows: deps.providers.ways() }));

  for (const [provider, start, callback] of [
    ['google', calls.startGoogle, calls.googleCallback],
    ['github', calls.startGithub, calls.githubCallback],
  ] as const) {
    serve(app, start, 'own-check', async (call) => {
      const { page = 'login', from = '', popup, again } = call.query;
      const input = { provider, page, from, popup: popup === '1', again: again === '1', ip: call.ip };
      const report = reporter(call, provider);
      const started = await startSignIn(deps, whoIs(call), { ...input, browser: browserOf(call) }, report);
      setOff(call, started.cookie);
      call.reply.header('location', started.location);
      return null;
    });

    // Another site leads here, by its nature: what protects it is the state, and the cookie that went out with it.
    serve(app, callback, 'anyone', async (call) => {
      const input = {
        provider,
        answer: call.query,
        browser: browserOf(call),
        userAgent: call.userAgent,
        replaces: sessionTokenOf(call.reply.request),
        device: deviceTokenOf(call.reply.request),
      };
      const finished = await finishSignIn(deps, whoIs(call), input, reporter(call, provider));
      if (finished.session !== undefined) {
        setSessionCookies(call.reply, finished.session);
        call.reply.log.info({ provider }, 'a social sign-in');
      }
      call.reply.header('location', finished.location);
      return null;
    });
  }

  serve(app, calls.listLinks, 'viewer', async ({ viewer }) => ({ rows: await listLinks(db, viewer) }));

  serve(app, calls.startLink, 'viewer', async (call) => {
    const input = { provider: call.params.provider, popup: call.body.popup, browser: browserOf(call) };
    const started = await startLink(deps, call.viewer, input);
    setOff(call, started.cookie);
    return { location: started.location };
  });

  serve(app, calls.unlink, 'viewer', async ({ viewer, params }) => ({
    deletedCount: await unlink(db, viewer, params.provider),
  }));
};
