// npm run admin -- grant EMAIL | forget-passkeys EMAIL | list: the admins of the shop. The first one is made here, by
// whoever runs it.
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { forgetPasskeys, grantAdmin, listShopAdmins } from '#server/moderation/operator.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { withDatabase } from './database/access.ts';
import { runCommand, WrongUse } from './command.ts';

const USAGE = `
  npm run admin -- grant EMAIL            makes the person with this address an admin
  npm run admin -- forget-passkeys EMAIL  for somebody who lost them all: takes their passkeys and recovery codes away
  npm run admin -- list                   names the admins of the shop`;

const grant = async (db: Db, config: Config, email: string): Promise<void> => {
  const done = await grantAdmin(db, { email, mode: config.mode, operator: userInfo().username });
  if (!done.granted) {
    console.log(`${done.name} (${done.email}) is an admin already; nothing was changed.`);
    return;
  }
  console.log(
    `${done.name} (${done.email}) is an admin now, in every session at once. It is written down in the audit.`,
  );
  if (config.mode === 'production')
    console.log('Before their first act as an admin they add a passkey on their account page.');
};

const list = async (db: Db): Promise<void> => {
  const admins = await listShopAdmins(db);
  if (admins.length === 0) console.log('There is no admin yet: npm run admin -- grant EMAIL makes the first one.');
  for (const { name, email, passkeys } of admins) {
    console.log(
      `${email}  ${name}  ${passkeys === 0 ? 'no passkey' : passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`}`,
    );
  }
};

const forget = async (db: Db, email: string): Promise<void> => {
  const done = await forgetPasskeys(db, { email, operator: userInfo().username });
  const count = done.passkeys === 1 ? '1 passkey' : `${done.passkeys} passkeys`;
  console.log(`${done.name} (${done.email}) had ${count}: taken away, and signed out everywhere. It is in the audit.`);
};

await runCommand(USAGE, async (config) => {
  const [command, email, ...others] = parseArgs({ allowPositionals: true }).positionals;
  const isComplete = command === 'list' ? email === undefined : email !== undefined && others.length === 0;
  if (!isComplete || !['grant', 'forget-passkeys', 'list'].includes(command ?? '')) {
    throw new WrongUse('Say what to do: grant EMAIL, forget-passkeys EMAIL, or list.');
  }
  await withDatabase(config, console.log, (db) => {
    if (command === 'grant') return grant(db, config, email ?? '');
    return command === 'list' ? list(db) : forget(db, email ?? '');
  });
});
