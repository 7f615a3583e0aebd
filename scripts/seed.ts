// npm run seed -- --books N: fills the demo shop with N believable listings, for trying it at scale.
import { parseArgs } from 'node:util';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { generateListings, NoDemoShop } from '#db/seed/generated-listings.ts';
import { withDatabase } from './database/access.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { runCommand, WrongUse } from './command.ts';
import { progressOf } from './terminal/progress.ts';

const USAGE = `
  npm run seed -- --books N

  --books  how many made-up listings the shop shall have (1 to 1,000,000); those of an earlier run count`;
const MOST_BOOKS = 1_000_000;

const readBooks = (): number => {
  const { values } = parseArgs({ options: { books: { type: 'string' } } });
  const books = /^\d{1,7}$/.test(values.books ?? '') ? Number(values.books) : 0;
  if (books < 1 || books > MOST_BOOKS) throw new WrongUse('Say how many books (--books N).');
  return books;
};

await runCommand(USAGE, async (config, signal) => {
  const books = readBooks();
  if (config.mode === 'production')
    throw new NoDemoShop('Made-up listings are for a demo shop; this one is in production.');
  await withDatabase(config, console.log, async (db) => {
    if (!(await markShop(db, true)))
      throw new NoDemoShop('Made-up listings are for a demo shop; this database is not one.');
    if (await seedDemoShop(db)) console.log('The demo shop was put in.');
    const startedAt = performance.now();
    const { added, present, interrupted } = await generateListings(db, {
      books,
      signal,
      onProgress: progressOf('listings', process.stdout),
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (interrupted)
      console.log('\nInterrupted: what was listed stays, and running the same command again lists the rest.');
    console.log(
      `${added.toLocaleString('en-US')} listings added in ${seconds} s; ${present.toLocaleString('en-US')} were there.`,
    );
  });
});
