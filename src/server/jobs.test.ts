import type { KyselyPlugin } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testApp } from '#test/app.ts';
import { findDueJobs } from './jobs.queries.ts';
import { startJobs } from './jobs.ts';

const EVERY = { unpaidSeconds: 3_600, allSeconds: 3_600 };

test('a shop in which nothing happens asks one statement a second, and hears of work by it', async () => {
  const shop = await testApp();
  const { config, provider, db } = shop;
  await db.deleteFrom('outbox').execute();
  let asked = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const money = { ...config.money, reconcileSeconds: EVERY.unpaidSeconds, reconcileAllSeconds: EVERY.allSeconds };
  const sent: string[] = [];
  const transport = { send: async (mail: { subject: string }) => void sent.push(mail.subject) };
  const warned: string[] = [];
  const note = (_facts: unknown, what?: string): void => void warned.push(what ?? '');
  const stop = startJobs(
    {
      db: db.withPlugin(counting),
      config: { ...config, money },
      provider,
      transport,
      photos: shop.photos,
      openLibrary: undefined,
    },
    { warn: note as never, error: note as never },
  );
  await expect.poll(() => findDueJobs(db, EVERY)).toMatchObject({ reconciliation: false });
  // What is dropped once an hour is asked for at the start.
  await sleep(2_000);
  const [before, began] = [asked, performance.now()];
  await sleep(4_000);
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(`An idle shop asked ${asked - before} statements in ${seconds.toFixed(1)} s.\n`);
  expect(asked - before).toBeLessThanOrEqual(Math.ceil(seconds));
  await db.insertInto('reset_requests').values({ email: 'nobody@example.com' }).execute();
  expect(await findDueJobs(db, EVERY)).toMatchObject({ resets: true });
  await expect.poll(() => findDueJobs(db, EVERY), { timeout: 5_000 }).toMatchObject({ resets: false });
  await stop();
  await shop.close();
  expect(warned).toEqual([]);
});
