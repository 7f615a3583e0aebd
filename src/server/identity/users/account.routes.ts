import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/users/account.ts';
import { deviceTokenOf, sessionTokenOf, setSessionCookies } from '#server/http/auth.ts';
import { PROOFS, perAccount, perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import {
  changePassword,
  editAccount,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  readAccount,
  type TakePortrait,
} from './account.service.ts';
import { beginReauthentication, reauthenticate } from '#server/identity/sessions/reauthentication.service.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  signInByPasskey,
} from '#server/identity/passkeys/passkeys.service.ts';

/**
 * One's own account: profile, password, sessions, passkeys and recovery codes; and signing in, once more, with a
 * passkey.
 */
export const accountRoutes = (
  app: FastifyInstance,
  { db, config, takePortrait }: { db: Db; config: Config; takePortrait: TakePortrait },
): void => {
  serve(app, calls.readAccount, 'viewer', ({ viewer }) => readAccount(db, viewer));
  serve(app, calls.editAccount, { guard: 'viewer', limits: [perAccount(60)] }, async ({ viewer, body }) => ({
    modifiedCount: await editAccount(db, viewer, body, takePortrait),
  }));
  serve(
    app,
    calls.changePassword,
    { guard: 'viewer', limits: [perAccount(10), perNetwork(100)] },
    async ({ viewer, body, ip, reply }) => {
      await changePassword(db, config, viewer, { ...body, ip, device: deviceTokenOf(reply.request) });
      return { modifiedCount: 1 };
    },
  );

  serve(app, calls.listSessions, 'viewer', async ({ viewer }) => ({
    sessions: await listOwnSessions(db, config, viewer),
  }));
  serve(app, calls.endOneSession, 'viewer', async ({ viewer, params }) => {
    await endOwnSession(db, viewer, params.id);
    return { deletedCount: 1 };
  });
  serve(app, calls.endOtherSessions, 'viewer', async ({ viewer }) => ({
    deletedCount: await endOtherSessions(db, viewer),
  }));

  serve(app, calls.passkeyToAdd, { guard: 'viewer', limits: PROOFS }, async ({ viewer }) => ({
    options: await beginPasskey(db, config, viewer),
  }));
  serve(app, calls.addPasskey, { guard: 'viewer', limits: PROOFS }, ({ viewer, body }) =>
    addPasskey(db, config, viewer, body),
  );
  serve(app, calls.renamePasskey, 'viewer', async ({ viewer, params, body }) => {
    await renamePasskey(db, viewer, { id: params.id, name: body.name });
    return { modifiedCount: 1 };
  });
  serve(app, calls.removePasskey, 'viewer', async ({ viewer, params }) => {
    await removePasskey(db, config, viewer, params.id);
    return { deletedCount: 1 };
  });
  serve(app, calls.renewRecoveryCodes, { guard: 'viewer', limits: [perAccount(30)] }, async ({ viewer }) => ({
    recoveryCodes: await renewRecoveryCodes(db, viewer),
  }));

  serve(app, calls.passkeyToSignIn, 'own-check', async ({ ip }) => ({
    options: await beginPasskeySignIn(db, config, ip),
  }));
  serve(
    app,
    calls.signInWithPasskey,
    { guard: 'own-check', limits: [perNetwork(100, 15)] },
    async ({ body, userAgent, reply }) => {
      const { user, session } = await signInByPasskey(db, config, {
        passkey: body.passkey,
        userAgent,
        replaces: sessionTokenOf(reply.request),
        device: deviceTokenOf(reply.request),
      });
      setSessionCookies(reply, session);
      return { user };
    },
  );

  serve(app, calls.passkeyToConfirm, { guard: 'cookie', limits: PROOFS }, async ({ viewer }) => ({
    options: await beginReauthentication(db, config, viewer),
  }));
  serve(app, calls.reauthenticate, { guard: 'cookie', limits: PROOFS }, async ({ viewer, body, ip, reply }) => {
    const device = deviceTokenOf(reply.request);
    setSessionCookies(reply, await reauthenticate(db, config, viewer, { ...body, ip, device }));
    return { acknowledged: true };
  });
};
