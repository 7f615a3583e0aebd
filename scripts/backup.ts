// npm run backup: saves the whole shop as of one moment, while it is running.
import path from 'node:path';
import { photosBeside, savePhotos } from '#server/catalog/photos/store/photo-copies.ts';
import { takeBackup } from './database/backup.ts';
import { withRoles } from './database/access.ts';
import { runCommand, WrongUse } from './command.ts';

const USAGE = `
  npm run backup -- [FILE]   saves the shop, as pg_dump -Fc does (without FILE: into backups/ of the data folder)
                             and copies its folder of photos to FILE.photos`;

await runCommand(USAGE, async (config) => {
  const [given, ...more] = process.argv.slice(2);
  if (more.length > 0 || given?.startsWith('-')) throw new WrongUse('Name one file.');
  const usual = path.join(config.dataDir, 'backups', `dogear-${new Date().toISOString().replaceAll(/\W/g, '-')}.dump`);
  // npm changes to the project's folder; what a person types is meant where they are.
  const file = path.resolve(process.env['INIT_CWD'] ?? '', given ?? path.resolve(usual));
  await withRoles(config, console.log, (roles) => takeBackup(roles, file));
  console.log(`Saved and read again: ${file}`);
  // After the database: what it names was in the folder by then.
  if ('folder' in config.photos) {
    const files = await savePhotos(config.photos.folder, file);
    console.log(`Photos, ${files} files: ${photosBeside(file)}`);
  } else console.log(`Photos stay in the bucket ${config.photos.bucket}: have it keep what is deleted for a while.`);
  console.log('It holds password hashes and keys: keep it as safe as the shop itself, and on another disk.');
});
