import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/users/mail-links.ts';
import { deviceTokenOf, sessionTokenOf, setSessionCookies } from '#server/http/auth.ts';
import { perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { confirmAddress, sendConfirmationAgain } from './confirmation.service.ts';
import { requestReset, resetPassword } from '#server/identity/passwords/reset.service.ts';

/** What the links of mails are for: a new password, a proven address. */
export const mailLinkRoutes = (
  app: FastifyInstance,
  { db, config, mailbox }: { db: Db; config: Config; mailbox: string | null },
): void => {
  serve(app, calls.forgotPassword, 'own-check', async ({ body, ip }) => {
    await requestReset(db, config, { email: body.email, ip });
    return { accepted: true, mailbox };
  });

  serve(
    app,
    calls.resetPassword,
    { guard: 'own-check', limits: [perNetwork(60)] },
    async ({ body, ip, userAgent, reply }) => {
      const { email, signedIn } = await resetPassword(db, config, {
        ...body,
        ip,
        userAgent,
        replaces: sessionTokenOf(reply.request),
        device: deviceTokenOf(reply.request),
      });
      if (signedIn !== undefined) setSessionCookies(reply, signedIn.session);
      return { email, user: signedIn?.user ?? null };
    },
  );

  serve(app, calls.confirmAddress, { guard: 'own-check', limits: [perNetwork(120)] }, async ({ body }) => {
    await confirmAddress(db, body.token);
    return { confirmed: true };
  });

  serve(app, calls.sendConfirmation, 'viewer', async ({ viewer }) => ({
    sent: await sendConfirmationAgain(db, viewer),
    mailbox,
  }));
};
