import type { FastifyInstance } from 'fastify';
import {
  CLOCK_AHEAD_HEADER,
  listDemoPeople,
  moveClock,
  readClock,
  type DemoPerson,
  type ShopClock,
} from '#contract/demo.ts';
import type { Answer, EndpointSpec, Input } from '#contract/endpoint.ts';
import { guardRoute } from '#server/http/auth.ts';
import { checkInput } from '#server/http/serve.ts';
import { badFields } from '#server/platform/errors.ts';
import { MOST_AHEAD_SECONDS, moveShopClock, readShopClock } from '#server/platform/postgres/clock.ts';
import type { Db } from '#server/platform/postgres/db.ts';

const HOUR_SECONDS = 3_600;

/** A call that is not of the API: other sites are refused, and its input is checked as that of any other. */
const answer = <E extends EndpointSpec>(
  app: FastifyInstance,
  spec: E,
  handler: (input: Input<E>) => Promise<Answer<E>>,
): void => {
  app.route({
    method: spec.method,
    url: `/standins${spec.path}`,
    ...guardRoute(app, spec, 'own-check'),
    handler: async (request, reply) => {
      checkInput(request, spec);
      reply.header('cache-control', 'no-store');
      const input: object = { body: request.body };
      return handler(input as Input<E>);
    },
  });
};

const shown = ({ now, aheadSeconds }: Awaited<ReturnType<typeof readShopClock>>): ShopClock => ({
  now: now.toISOString(),
  aheadSeconds,
});

interface DemoDeps {
  readonly db: Db;
  readonly people: readonly DemoPerson[];
  /** Tells the stand-in whose money moves by this clock how far it is ahead. */
  readonly tellClock: (aheadSeconds: number) => Promise<void>;
}

/**
 * What a demo has beside the shop: its clock, which anybody may move forward, and who anybody may sign in as. Answers
 * that are for one user say how far the clock is ahead, where it is: pages count down by it. Never in production.
 */
export const demoRoutes = (app: FastifyInstance, { db, people, tellClock }: DemoDeps): void => {
  /** What is not told now is told when the clock moves again, or the shop is started. */
  const tell = async (): Promise<ShopClock> => {
    const clock = await readShopClock(db);
    if (clock.aheadSeconds > 0) {
      await tellClock(clock.aheadSeconds).catch((error: unknown) =>
        app.log.warn({ err: error }, 'the stand-in was not told how far the clock is ahead'),
      );
    }
    return shown(clock);
  };
  app.addHook('onReady', async () => void (await tell()));
  app.addHook('onSend', async (request, reply) => {
    const isTold = request.method === 'GET' && request.routeOptions.config?.endpoint?.personal === true;
    if (!isTold || reply.statusCode !== 200) return;
    const { aheadSeconds } = await readShopClock(db);
    if (aheadSeconds > 0) reply.header(CLOCK_AHEAD_HEADER, String(aheadSeconds));
  });
  answer(app, readClock, async () => shown(await readShopClock(db)));
  answer(app, moveClock, async ({ body }) => {
    const seconds = Math.round(body.advanceHours * HOUR_SECONDS);
    if ((await readShopClock(db)).aheadSeconds + seconds > MOST_AHEAD_SECONDS)
      throw badFields({
        advanceHours: 'The clock is as far ahead as it goes: npm run reset gives the shop back as new',
      });
    await moveShopClock(db, seconds);
    return tell();
  });
  answer(app, listDemoPeople, async () => people.map(({ label, email, password }) => ({ label, email, password })));
};
