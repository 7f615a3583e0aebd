import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { createDraftKeeper, type Drafted } from './draft-keeper.ts';

const DELAY_MS = 20;
const SAVE_MS = 5;

// A machine with other work would be late for the one and early for the other.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server with one draft, and a tab of it. */
const aTab = (server: { version: number; fields: Record<string, string>; saves: number }, version = 0) => {
  const told = { version, behind: 0 };
  const form: { fields: Record<string, string> } = { fields: {} };
  const keeper = createDraftKeeper(
    {
      delayMs: DELAY_MS,
      onVersion: (next) => {
        told.version = next;
      },
      onBehind: () => {
        told.behind += 1;
      },
      save: async (draft) => {
        await new Promise((resolve) => setTimeout(resolve, SAVE_MS));
        if (draft.version !== server.version)
          throw new ApiError({ status: 409, code: 'draft_newer', message: 'newer' });
        server.version += 1;
        server.saves += 1;
        server.fields = draft.fields;
        return { version: server.version };
      },
    },
    { version, isBehind: false },
  );
  const read = (): Drafted => ({ fields: { ...form.fields }, photos: [] });
  const stop = keeper.watch(read);
  const type = (title: string): void => {
    form.fields = { title };
    keeper.note();
  };
  return { keeper, told, type, stop };
};
const aServer = () => ({ version: 0, fields: {} as Record<string, string>, saves: 0 });
const settled = () => vi.advanceTimersByTimeAsync(DELAY_MS * 4);

test('what is typed is saved once somebody pauses, and not again while nothing changes', async () => {
  const server = aServer();
  const tab = aTab(server);
  tab.type('E');
  tab.type('Em');
  tab.type('Emma');
  await settled();
  expect(server).toMatchObject({ fields: { title: 'Emma' }, saves: 1 });
  tab.keeper.note();
  await settled();
  expect(server.saves).toBe(1);
  expect(tab.told).toEqual({ version: 1, behind: 0 });
});

test('what is typed while a save is under way follows it', async () => {
  const server = aServer();
  const tab = aTab(server);
  tab.type('Emma');
  tab.keeper.flush();
  tab.type('Persuasion');
  await settled();
  expect(server).toMatchObject({ fields: { title: 'Persuasion' }, saves: 2 });
});

test('an older tab saves nothing until it is said which draft to keep', async () => {
  const server = aServer();
  const [desk, phone] = [aTab(server), aTab(server)];
  phone.type('On the phone');
  await settled();
  desk.type('At the desk');
  await settled();
  desk.type('At the desk again');
  await settled();
  expect(server.fields).toEqual({ title: 'On the phone' });
  expect(desk.told.behind).toBe(1);
  desk.keeper.overtake(server.version);
  await settled();
  expect(server.fields).toEqual({ title: 'At the desk again' });
});

test('a form that arrives while it is being saved knows what was saved', async () => {
  const server = aServer();
  const tab = aTab(server);
  tab.type('Emma');
  tab.keeper.flush();
  const saved = tab.keeper.settle();
  await settled();
  expect(await saved).toBe(1);
  expect(server.saves).toBe(1);
});

test('a form that has arrived is saved no more, and one that is left is saved at once', async () => {
  const server = aServer();
  const tab = aTab(server);
  tab.type('Emma');
  expect(await tab.keeper.settle()).toBe(0);
  await settled();
  expect(server.saves).toBe(0);
  const other = aTab(server);
  other.type('Persuasion');
  other.stop();
  await settled();
  expect(server).toMatchObject({ fields: { title: 'Persuasion' }, saves: 1 });
});
