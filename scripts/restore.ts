// npm run restore -- FILE: puts a backup in the place of the shop's database.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { photosBeside, restorePhotos } from '#server/catalog/photos/store/photo-copies.ts';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { BackupError, restoreBackup } from './database/backup.ts';
import { withRoles } from './database/access.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { runCommand, WrongUse } from './command.ts';

const USAGE = `
  npm run restore -- FILE [--replace] [--anyway]   puts a backup into the shop's database; end the shop first
  npm run restore -- --filled …                    takes the database NAME_restore, which pg_restore has filled
  --replace  also where the database holds a shop, which is then kept under another name
  --anyway   also where money and copies do not agree in the backup`;

await runCommand(USAGE, async (config) => {
  const flag = { type: 'boolean', default: false } as const;
  const options = { replace: flag, anyway: flag, filled: flag };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { replace, anyway, filled } = values;
  if (positionals.length !== (filled ? 0 : 1)) throw new WrongUse('Name the file of the backup.');
  const [file] = positionals.map((name) => path.resolve(process.env['INIT_CWD'] ?? '', name));
  const check = async (url: string): Promise<void> => {
    const { db, close } = connect(url, { connections: 1, timeouts: false });
    const checked = await checkInvariants(db).finally(close);
    const broken = checked.filter(({ violations }) => violations > 0);
    for (const { id, says, violations } of broken) console.log(`  ${id} is broken ${violations} times: ${says}`);
    if (broken.length === 0) console.log(`${checked.length} invariants of money and copies: 0 violations.`);
    else if (!anyway) throw new BackupError('Nothing was replaced. --anyway restores it nevertheless.');
  };
  const aside = await withRoles(config, console.log, (roles) => restoreBackup({ file, roles, replace, check }));
  if (aside !== undefined) console.log(`What was there before is kept in the same server as ${aside}.`);
  if (file !== undefined && 'folder' in config.photos) {
    const files = await restorePhotos(file, config.photos.folder);
    if (files === undefined) console.log(`There is no ${photosBeside(file)}: photos are those of the folder.`);
    else console.log(`Photos, ${files} files, are in ${config.photos.folder}.`);
  }
  console.log('Restored. Start the shop again.');
});
