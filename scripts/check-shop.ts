import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { BackupError } from '#server/platform/backup/manifest.ts';
import { connect } from '#server/platform/db.ts';

/** Says whether money and copies agree in the shop of `url`. Throws `BackupError` where they do not, unless that is wanted `anyway`. */
export const checkShop = async (url: string, anyway = false): Promise<void> => {
  const { db, close } = connect(url, { connections: 1, timeouts: false });
  try {
    const checked = await checkInvariants(db);
    const broken = checked.filter(({ violations }) => violations > 0);
    for (const { id, says, violations } of broken) console.log(`  ${id} is broken ${violations} times: ${says}`);
    if (broken.length === 0) console.log(`${checked.length} invariants of money and copies: 0 violations.`);
    else if (!anyway) throw new BackupError('Nothing was replaced. --anyway restores it nevertheless.');
  } finally {
    await close();
  }
};
