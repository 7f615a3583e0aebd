import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdmin } from '#contract/admin/admin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, anAdmin } from '#test/make.ts';
import { recordAudit } from './audit.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const entries = () => t.db.selectFrom('audit_entries').selectAll().orderBy('id').execute();

test('what an admin did is kept: it can neither be changed nor removed', async () => {
  const [admin, buyer] = [await anAdmin(t), await aBuyer(t)];
  await t.call(makeAdmin, { params: { id: buyer.id } }, { as: admin });
  const before = await entries();
  expect(before).toMatchObject([{ actor_id: admin.id, action: 'user made admin', subject_id: buyer.id, details: {} }]);
  const changes = [
    sql`UPDATE audit_entries SET action = 'nothing'`,
    sql`DELETE FROM audit_entries`,
    sql`TRUNCATE audit_entries`,
  ];
  for (const change of changes) await expect(change.execute(t.db)).rejects.toThrow('audit_entries is append-only');
  expect(await entries()).toEqual(before);
});

test('a deed that does not happen is not written down', async () => {
  const admin = await anAdmin(t);
  const before = await entries();
  const failing = t.db.transaction().execute(async (trx) => {
    await recordAudit(trx, { actorId: admin.id, action: 'user deleted', subject: { kind: 'user', id: admin.id } });
    throw new Error('thought better of it');
  });
  await expect(failing).rejects.toThrow('thought better of it');
  expect(await entries()).toEqual(before);
});
