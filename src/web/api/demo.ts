import { listDemoPeople, moveClock, readClock, type DemoPerson, type ShopClock } from '#contract/demo.ts';
import type { Answer, CallableSpec, EndpointSpec, Input } from '#contract/endpoint.ts';
import { answerOf } from './answer.ts';
import { unanswered } from './fetch-transport.ts';
import { learnClock } from './shop-clock.ts';

const send = async (spec: CallableSpec, body: unknown): Promise<unknown> => {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const sent = fetch(`/standins${spec.path}`, { method: spec.method, ...(spec.body !== undefined && json) });
  const response = await sent.catch((error: unknown) => {
    throw unanswered(error, undefined);
  });
  const header = (name: string): string | null => response.headers.get(name);
  return answerOf(spec, { status: response.status, header, body: await response.text() });
};

/** What only a demo answers; like `call`, throws an `ApiError` when it is refused or not answered. */
const ask = async <E extends EndpointSpec>(spec: E, input: Input<E>): Promise<Answer<E>> =>
  (await send(spec, (input as { body?: unknown }).body)) as Answer<E>;

const learned = (clock: ShopClock): ShopClock => {
  learnClock(clock.aheadSeconds);
  return clock;
};

/** What time it is in the shop, and how far that is ahead. */
export const askForClock = async (): Promise<ShopClock> => learned(await ask(readClock, {}));

export const advanceClock = async (advanceHours: number): Promise<ShopClock> =>
  learned(await ask(moveClock, { body: { advanceHours } }));

/** Who anybody may sign in as. */
export const askForPeople = (): Promise<DemoPerson[]> => ask(listDemoPeople, {});
