import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addPasskey,
  changePassword,
  passkeyToAdd,
  passkeyToSignIn,
  removePasskey,
  renewRecoveryCodes,
  reauthenticate,
  signInWithPasskey,
} from '#contract/users/account.ts';
import { readSession, signIn } from '#contract/users/identity.ts';
import { forgotPassword, resetPassword } from '#contract/users/mail-links.ts';
import { deleteUser } from '#contract/admin/admin.ts';
import { restoreUser } from '#contract/admin/restoring.ts';
import { unlink } from '#contract/users/social.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { TestApp } from '#test/app.ts';
import { anAuthenticator } from '#test/sign-in/authenticator.ts';
import { anAdmin, aUser, PASSWORD, type TestUser } from '#test/make.ts';
import { aBrowser, typed } from '#test/sign-in/way.ts';
import type * as PasswordHash from '#server/identity/passwords/password-hash.ts';

/** What a password check does once it knows its answer, before it gives it. */
const check = vi.hoisted(() => ({ pause: async (): Promise<void> => {} }));

vi.mock('#server/identity/passwords/password-hash.ts', async (importOriginal) => {
  const real = await importOriginal<typeof PasswordHash>();
  const isPassword: typeof real.isPassword = async (...asked) => {
    const answer = await real.isPassword(...asked);
    await check.pause();
    return answer;
  };
  return { ...real, isPassword };
});

const NEW_PASSWORD = 'Fresh#Start';

/** A process of the shop: what it does in turns by itself, no other one waits for. */
const aShop = async (beside?: TestApp): Promise<TestApp> => {
  vi.resetModules();
  const { testApp } = await import('#test/app.ts');
  return testApp(beside && { beside });
};

let t: TestApp;
let base: string;
let user: TestUser;
beforeAll(async () => {
  // Files before this one may have loaded the shop with the function that does not wait; those after it shall not get
  // this one.
  t = await aShop();
  base = await t.listen();
});
afterAll(async () => {
  await t.close();
  vi.resetModules();
});
beforeEach(async () => {
  check.pause = async () => {};
  user = await aUser(t);
});

/** From now on one password check, once it found the password right, waits for `work` to be done. */
const beforeItsAnswer = (work: () => Promise<unknown>): void => {
  check.pause = async () => {
    check.pause = async () => {};
    await work();
  };
};

const cookieOf = (headers: Record<string, unknown>): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';
const signInNow = (password = PASSWORD) => t.call(signIn, { body: { email: user.email, password } });
const sessions = async (): Promise<number> =>
  (await t.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).length;

const reset = async (): Promise<void> => {
  await t.call(forgotPassword, { body: { email: user.email } });
  const [mail] = await t.mailTo(user.email);
  const token = /#token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const done = await t.call(resetPassword, { body: { token, password: NEW_PASSWORD } });
  expect(done.status).toBe(200);
};

/**
 * Begins `work` in a transaction of its own, and `call` meanwhile; commits as soon as `call` waits for a lock of it, or
 * was answered. Answers what `call` came to.
 */
const duringTransaction = async <T>(work: (trx: Trx) => Promise<unknown>, call: () => Promise<T>): Promise<T> => {
  const waiting = async (): Promise<boolean> => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted
        AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`.execute(t.db);
    return (rows[0]?.count ?? 0) > 0;
  };
  let called: Promise<T> | undefined;
  await t.db.transaction().execute(async (trx) => {
    await work(trx);
    let isAnswered = false;
    called = call().finally(() => (isAnswered = true));
    await vi.waitFor(async () => expect(isAnswered || (await waiting())).toBe(true), { timeout: 5_000, interval: 20 });
  });
  if (called === undefined) throw new Error('nothing was called');
  return called;
};

describe('a sign-in under way with the old password begins no session', () => {
  test('where a reset sets another one meanwhile', async () => {
    beforeItsAnswer(reset);
    const late = await signInNow();
    expect([late.status, late.body.error?.message]).toEqual([401, 'The email address or the password is wrong.']);
    expect(late.headers['set-cookie']).toBeUndefined();
    expect(await sessions()).toBe(1);
    expect((await signInNow(NEW_PASSWORD)).status).toBe(200);
  });

  test('where its owner changes it meanwhile and ends the other sessions', async () => {
    const body = { current: PASSWORD, password: NEW_PASSWORD, endOthers: true };
    // In one process the two would take turns.
    const other = await aShop(t);
    try {
      beforeItsAnswer(async () => {
        expect((await other.call(changePassword, { body }, { as: user })).status).toBe(200);
      });
      expect((await signInNow()).status).toBe(401);
    } finally {
      await other.close();
    }
    expect(await sessions()).toBe(1);
  });

  test('where an admin deletes its owner meanwhile, restored or not', async () => {
    const admin = await anAdmin(t);
    beforeItsAnswer(() => t.call(deleteUser, { params: { id: user.id } }, { as: admin }));
    expect((await signInNow()).status).toBe(401);
    await t.call(restoreUser, { params: { id: user.id } }, { as: admin });
    expect(await sessions()).toBe(0);
  });

  test('where a deletion is not through yet when the session is to begin', async () => {
    const late = await duringTransaction(async (trx) => {
      await trx.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.id).execute();
      await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    }, signInNow);
    expect(late.status).toBe(401);
    await t.db.updateTable('users').set({ deleted_at: null }).where('id', '=', user.id).execute();
    expect(await sessions()).toBe(0);
  });

  test('where a reset is not through yet when the session is to begin', async () => {
    const late = await duringTransaction(async (trx) => {
      const other = await t.db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirst();
      const changed = `${other?.password_hash?.slice(0, -4)}AAAA`;
      await trx.updateTable('users').set({ password_hash: changed }).where('id', '=', user.id).execute();
      await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    }, signInNow);
    expect(late.status).toBe(401);
    expect(await sessions()).toBe(0);
  });
});

describe('whoever knew the old password', () => {
  test('counts as freshly signed in no more once a reset is through', async () => {
    beforeItsAnswer(reset);
    const late = await t.call(reauthenticate, { body: { password: PASSWORD } }, { as: user });
    expect(late.status).toBe(401);
    expect(late.headers['set-cookie']).toBeUndefined();
  });

  test('does not set one of theirs over that of a reset', async () => {
    beforeItsAnswer(reset);
    const body = { current: PASSWORD, password: 'Thief#Was1' };
    expect((await t.call(changePassword, { body }, { as: user })).status).toBe(401);
    expect((await signInNow('Thief#Was1')).status).toBe(401);
    expect((await signInNow(NEW_PASSWORD)).status).toBe(200);
  });

  test('makes no recovery codes in a session that a reset is ending', async () => {
    const { options } = (await t.call(passkeyToAdd, {}, { as: user })).body;
    const passkey = anAuthenticator(t.config.publicUrl).create(options);
    await t.call(addPasskey, { body: { name: 'Key', passkey } }, { as: user });
    const late = await duringTransaction(
      async (trx) => {
        await trx.updateTable('users').set({ name: 'Locked' }).where('id', '=', user.id).execute();
        await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
      },
      () => t.call(renewRecoveryCodes, {}, { as: user }),
    );
    expect(late.status).toBe(401);
  });
});

describe('a passkey', () => {
  const key = () => anAuthenticator(t.config.publicUrl);
  const add = async (authenticator: ReturnType<typeof key>): Promise<string> => {
    const { options } = (await t.call(passkeyToAdd, {}, { as: user })).body;
    const added = await t.call(
      addPasskey,
      { body: { name: 'Key', passkey: authenticator.create(options) } },
      { as: user },
    );
    return added.body.insertedId ?? '';
  };
  const proofOf = async (authenticator: ReturnType<typeof key>) =>
    authenticator.get((await t.call(passkeyToSignIn, {})).body.options);

  test('that is being removed begins no session', async () => {
    const mine = key();
    const id = await add(mine);
    const passkey = await proofOf(mine);
    const late = await duringTransaction(
      async (trx) => {
        await trx.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
        await trx.deleteFrom('passkeys').where('id', '=', id).execute();
      },
      () => t.call(signInWithPasskey, { body: { passkey } }),
    );
    expect(late.status).toBe(401);
    expect(late.headers['set-cookie']).toBeUndefined();
    expect(await sessions()).toBe(1);
  });

  test('that is removed takes the sessions elsewhere with it that began by it, and leaves the others', async () => {
    const [lost, kept] = [key(), key()];
    const id = await add(lost);
    await add(kept);
    const signedIn = [];
    for (const one of [lost, kept])
      signedIn.push(cookieOf((await t.call(signInWithPasskey, { body: { passkey: await proofOf(one) } })).headers));
    expect((await t.call(removePasskey, { params: { id } }, { as: user })).status).toBe(200);
    const [byLost, byKept] = await Promise.all(
      signedIn.map(async (cookie) => (await t.call(readSession, {}, { as: { cookie } })).body.user?.uid),
    );
    expect([byLost, byKept]).toEqual([undefined, user.id]);
    expect((await t.call(readSession, {}, { as: user })).body.user?.uid).toBe(user.id);
  });
});

describe('an account at a service', () => {
  const address = (): string => `u${randomUUID().replaceAll('-', '')}@example.com`;

  test('that is unlinked takes the sessions elsewhere with it that began by it', async () => {
    const email = address();
    const browser = aBrowser(t, base);
    await t.db.updateTable('users').set({ email }).where('id', '=', user.id).execute();
    expect((await browser.signIn('github', typed(email))).outcome).toBe('signed-in');
    expect((await t.call(readSession, {}, { as: { cookie: browser.cookie() } })).body.user?.uid).toBe(user.id);
    expect((await t.call(unlink, { params: { provider: 'github' } }, { as: user })).body).toEqual({ deletedCount: 1 });
    expect((await t.call(readSession, {}, { as: { cookie: browser.cookie() } })).body.user).toBeNull();
    expect((await t.call(readSession, {}, { as: user })).body.user?.uid).toBe(user.id);
  });

  test('that is being unlinked begins no session', async () => {
    const email = address();
    await t.db.updateTable('users').set({ email }).where('id', '=', user.id).execute();
    await aBrowser(t, base).signIn('github', typed(email));
    const before = await sessions();
    const ending = await duringTransaction(
      async (trx) => {
        await trx.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
        await trx.deleteFrom('sign_in_identities').where('user_id', '=', user.id).execute();
      },
      () => aBrowser(t, base).signIn('github', typed(email)),
    );
    expect(ending.outcome).toBe('lost');
    expect(await sessions()).toBe(before);
  });
});
