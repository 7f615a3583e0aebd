import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPasskey, passkeyToAdd, readAccount } from '#contract/users/account.ts';
import { deleteUser, makeAdmin, verifySeller } from '#contract/admin/admin.ts';
import { isAdmin } from '#contract/users/identity.ts';
import { CannotGrant, grantAdmin } from '#server/moderation/operator.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAuthenticator } from '#test/sign-in/authenticator.ts';
import { aBuyer, aSeller, aUser, credentialsOf } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const admin = async (...args: string[]): Promise<{ code: number; printed: string }> => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'admin.ts'), ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: t.databaseUrl },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(child, 'close');
  return { code: Number(code), printed };
};

test('makes the first admin, at once for tokens that exist, names them, and writes it down', async () => {
  expect((await admin('list')).printed).toContain('There is no admin yet');
  const person = await aUser(t, { roles: ['buyer'], name: 'Olga Owner' });
  const granted = await admin('grant', person.email.toUpperCase());
  expect(granted).toEqual({
    code: 0,
    printed: `Olga Owner (${person.email}) is an admin now, in every session at once. It is written down in the audit.\n`,
  });
  expect((await t.call(isAdmin, { params: { email: person.email } }, { as: person })).body).toEqual({ isAdmin: true });
  expect((await admin('grant', person.email)).printed).toContain('is an admin already; nothing was changed');
  expect((await admin('list')).printed).toBe(`${person.email}  Olga Owner  no passkey\n`);

  // And what the new admin then does is written down too, with who, whom and when.
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  await t.call(verifySeller, { params: { id: seller.id } }, { as: person });
  await t.call(makeAdmin, { params: { id: buyer.id } }, { as: person });
  await t.call(deleteUser, { params: { id: buyer.id } }, { as: person });
  const deeds = await t.db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
  expect(deeds).toMatchObject([
    {
      actor_id: null,
      action: 'user made admin',
      subject_id: person.id,
      details: { operator: expect.any(String) },
      at: expect.any(Date),
    },
    { actor_id: person.id, action: 'user verified', subject_id: seller.id },
    { actor_id: person.id, action: 'user made admin', subject_id: buyer.id },
    { actor_id: person.id, action: 'user deleted', subject_id: buyer.id },
  ]);
});

test('takes the passkeys of somebody who lost them all away, signs them out and writes it down', async () => {
  const person = await aUser(t, { name: 'Lola Lost' });
  const key = anAuthenticator(t.config.publicUrl);
  const { options } = (await t.call(passkeyToAdd, {}, { as: person })).body;
  await t.call(addPasskey, { body: { name: 'Key', passkey: key.create(options) } }, { as: person });
  const done = await admin('forget-passkeys', person.email);
  expect([done.code, done.printed]).toEqual([0, expect.stringContaining('had 1 passkey: taken away')]);
  expect((await t.call(readAccount, {}, { as: person })).status).toBe(401);
  const anew = await credentialsOf(t, person.email);
  const account = await t.call(readAccount, {}, { as: anew });
  expect(account.body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  const deeds = await t.db.selectFrom('audit_entries').selectAll().where('subject_id', '=', person.id).execute();
  expect(deeds).toMatchObject([{ actor_id: null, action: 'passkeys forgotten', details: { passkeys: 1 } }]);
});

test('says what is wrong in a sentence, and changes nothing', async () => {
  for (const [args, sentence] of [
    [['grant', 'nobody@example.com'], 'Nobody has an account with the address nobody@example.com.'],
    [['grant'], 'npm run admin -- grant EMAIL'],
    [['forget-passkeys', 'nobody@example.com'], 'Nobody has an account with the address nobody@example.com.'],
    [[], 'npm run admin -- list'],
    [['revoke', 'a@example.com'], 'Say what to do'],
  ] as const) {
    const { code, printed } = await admin(...args);
    expect([code, printed.includes(sentence), printed.includes('    at ')]).toEqual([1, true, false]);
  }
});

test('in production takes only somebody whose address is proven', async () => {
  const person = await aUser(t);
  await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', person.id).execute();
  const grant = () => grantAdmin(t.db, { email: person.email, mode: 'production', operator: 'root' });
  await expect(grant()).rejects.toThrow(CannotGrant);
  await expect(grant()).rejects.toThrow('is not confirmed yet');
  await t.db.updateTable('users').set({ email_proven_at: new Date() }).where('id', '=', person.id).execute();
  expect((await grant()).granted).toBe(true);
});
