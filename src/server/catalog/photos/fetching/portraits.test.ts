import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteUser } from '#contract/admin/admin.ts';
import { restoreUser } from '#contract/admin/restoring.ts';
import { deleteAccount, editAccount, readAccount } from '#contract/users/account.ts';
import { readSession } from '#contract/users/identity.ts';
import { createPhotoMaker, type PhotoMaker } from '#server/catalog/photos/making/maker.ts';
import { sweepPhotos } from '#server/catalog/photos/photo-sweep.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAdmin, aUser, type TestUser } from '#test/make.ts';
import { aPicture } from '#test/photos.ts';
import { aBrowser, typed } from '#test/sign-in/way.ts';
import { fetchPicture, type Unfetched } from './fetch-picture.ts';
import { fetchDuePortrait, takePortrait } from './portraits.service.ts';

let t: TestApp;
let fetching: TestApp;
let maker: PhotoMaker;
let asked: string[];
const AWAY: Unfetched = { refused: 'The other side is away', later: true };
beforeAll(async () => {
  t = await testApp();
  maker = createPhotoMaker();
  fetching = await testApp({
    beside: t,
    photos: t.photos,
    fetchPicture: async (url) => {
      asked.push(url);
      if (url.includes('away')) return AWAY;
      if (url.includes('none')) return { refused: 'There is no picture at this address', later: false };
      return { bytes: url.includes('tiny') ? await aPicture(31, 31) : await aPicture(96, 96) };
    },
  });
});
afterAll(async () => {
  await maker.close();
  await fetching.close();
  await t.close();
});
beforeEach(async () => {
  await t.db.deleteFrom('portrait_fetches').execute();
  asked = [];
});

const fetchOne = (answer: { readonly bytes: Uint8Array } | Unfetched) =>
  fetchDuePortrait({
    db: t.db,
    store: t.photos,
    maker,
    fetch: (address) => {
      asked.push(address);
      return Promise.resolve(answer);
    },
    onGivenUp: () => {},
  });
const waiting = () => t.db.selectFrom('portrait_fetches').select(['user_id', 'tries']).execute();
const edit = (as: TestUser, photoURL: string) => fetching.call(editAccount, { body: { photoURL } }, { as });
const told = async (as: TestUser) => (await t.call(readAccount, {}, { as })).body.photoURL;
/** As a browser asks for it, which sends no token with pictures. */
const seen = async (address: string) => {
  const { statusCode, headers } = await t.app.inject({ url: new URL(address).pathname });
  return [statusCode, headers['content-type']];
};
const SHOWN = [200, 'image/webp'];
const ofShop = () => new RegExp(`^${t.config.publicUrl}/photos/[a-z2-7]{22}/320\\.webp$`);
const sweep = () => sweepPhotos({ db: t.db, store: t.photos });
const filesOf = async (address: string) => {
  const [, , name = ''] = new URL(address).pathname.split('/');
  const files: string[] = [];
  for await (const { key } of t.photos.keys('')) if (key.includes(name)) files.push(key);
  return files;
};
/** Somebody with a picture of the shop's. */
const aShownUser = async () => {
  const user = await aUser(t);
  await edit(user, 'https://images.example/me.png');
  return { user, address: await told(user) };
};

describe('the picture that a service tells', () => {
  test('is fetched afterwards, and shown by the shop alone', async () => {
    const base = await t.listen();
    const browser = aBrowser(t, base);
    const picture = 'https://pictures.example/ada.png';
    await browser.signIn('google', typed('ada.portrait@example.com', { picture }));
    const session = async () => (await t.call(readSession, {}, { as: { cookie: browser.cookie() } })).body.user;
    expect((await session())?.photoURL).toBe('');
    expect(asked).toEqual([]);
    // No larger than what services give.
    expect(await fetchOne({ bytes: await aPicture(96, 96) })).toBe(true);
    expect(asked).toEqual([picture]);
    const address = (await session())?.photoURL ?? '';
    expect(address).toMatch(ofShop());
    expect(await seen(address)).toEqual(SHOWN);
    expect(await fetchOne(AWAY)).toBe(false);
  });

  test('is tried again for a week, then given up with nothing shown; one that is none at once', async () => {
    const [away, text] = [await aUser(t), await aUser(t)];
    await t.db
      .updateTable('users')
      .set({ photo_url: 'https://away.example/1.png' })
      .where('id', '=', away.id)
      .execute();
    for (let tries = 1; tries <= 11; tries += 1) {
      expect((await waiting()).map((row) => row.tries)).toEqual([tries - 1]);
      await t.db
        .updateTable('portrait_fetches')
        .set({ next_try_at: new Date(0) })
        .execute();
      expect(await fetchOne(AWAY)).toBe(true);
      expect(await told(away)).toBe('');
    }
    await t.db
      .updateTable('users')
      .set({ photo_url: 'https://text.example/1.png' })
      .where('id', '=', text.id)
      .execute();
    await fetchOne({ bytes: Buffer.from('<html>') });
    expect(await waiting()).toEqual([]);
    const rows = await t.db.selectFrom('users').select('photo_url').where('id', 'in', [away.id, text.id]).execute();
    expect(rows).toEqual([{ photo_url: '' }, { photo_url: '' }]);
  });

  test('does not come in the place of one that was typed meanwhile, nor to somebody who left', async () => {
    const [user, gone] = [await aUser(t), await aUser(t)];
    await edit(user, 'https://away.example/first.png');
    await t.call(deleteAccount, { query: { confirm: 'DELETE' } }, { as: gone });
    await t.db
      .insertInto('portrait_fetches')
      .values({ user_id: gone.id, host: 'x', next_try_at: new Date(0) })
      .execute();
    expect(await fetchOne(AWAY)).toBe(true);
    let typedAddress = '';
    await fetchDuePortrait({
      db: t.db,
      store: t.photos,
      maker,
      fetch: async () => {
        await edit(user, 'https://images.example/second.png');
        typedAddress = await told(user);
        return { bytes: await aPicture() };
      },
      onGivenUp: () => {},
    });
    expect(typedAddress).toMatch(ofShop());
    expect(await told(user)).toBe(typedAddress);
    expect(await waiting()).toEqual([]);
  });
});

describe('a picture that is typed', () => {
  test('is fetched at once, and once: neither its address nor ours fetches it again', async () => {
    const { user, address } = await aShownUser();
    expect(address).toMatch(ofShop());
    expect(await seen(address)).toEqual(SHOWN);
    expect((await t.call(readSession, {}, { as: user })).body.user?.photoURL).toBe(address);
    for (const again of ['https://images.example/me.png', address]) {
      expect((await edit(user, again)).status).toBe(200);
      expect(await told(user)).toBe(address);
    }
    expect(asked).toEqual(['https://images.example/me.png']);
    expect(await waiting()).toEqual([]);
  });

  test('where none is to be had is a sentence at the field, and the old one stays', async () => {
    const { user, address } = await aShownUser();
    for (const [wrong, message] of [
      ['https://images.example/none.png', 'There is no picture at this address'],
      ['https://images.example/tiny.png', 'This picture is too small: each side needs at least 32 pixels'],
    ] as const) {
      const { status, body } = await edit(user, wrong);
      expect([status, body.error?.fields]).toEqual([400, { photoURL: message }]);
    }
    expect(await told(user)).toBe(address);
  });

  test.each(['https://127.0.0.1/me.png', 'https://[::1]/me.png', 'https://169.254.169.254/me.png'])(
    'at %s is refused, as nothing private is asked for anything',
    async (address) => {
      const user = await aUser(t);
      const pictures = { db: t.db, store: t.photos, maker, fetch: (url: string) => fetchPicture(url) };
      const taking = takePortrait({ db: t.db, mode: 'production', pictures }, user.id, address);
      await expect(taking).rejects.toMatchObject({ fields: { photoURL: expect.stringContaining('cannot reach') } });
    },
  );

  test('is fetched later where a demo cannot reach it now, and nobody is told its address meanwhile', async () => {
    const user = await aUser(t);
    expect((await edit(user, 'https://away.example/me.png')).status).toBe(200);
    expect(await told(user)).toBe('');
    await fetchOne({ bytes: await aPicture() });
    expect(await told(user)).toMatch(ofShop());
  });

  test('goes out of the store when it is taken away', async () => {
    const { user, address } = await aShownUser();
    await sweep();
    expect(await seen(address)).toEqual(SHOWN);
    expect(await filesOf(address)).not.toEqual([]);
    await edit(user, '');
    await sweep();
    expect((await seen(address))[0]).toBe(404);
    expect(await filesOf(address)).toEqual([]);
  });
});

test('whoever leaves takes their picture along; of somebody an admin deleted it is out of sight until they are back', async () => {
  const [admin, left, deleted] = [await anAdmin(t), await aShownUser(), await aShownUser()];
  const leaving = await t.call(deleteAccount, { query: { confirm: 'DELETE' } }, { as: left.user });
  const deleting = await t.call(deleteUser, { params: { id: deleted.user.id } }, { as: admin });
  expect([leaving.body, deleting.body]).toEqual([{ deletedCount: 1 }, { deletedCount: 1 }]);
  await sweep();
  expect([await seen(left.address), await seen(deleted.address)].map(([status]) => status)).toEqual([404, 404]);
  expect(await filesOf(left.address)).toEqual([]);
  await t.call(restoreUser, { params: { id: deleted.user.id } }, { as: admin });
  expect(await seen(deleted.address)).toEqual(SHOWN);
});

test('the export has the picture and says which it is', async () => {
  const { user, address } = await aShownUser();
  const { rawPayload } = await t.app.inject({
    method: 'GET',
    url: '/api/account/export',
    headers: { authorization: `Bearer ${user.accessToken}` },
  });
  const files = unzipSync(rawPayload);
  const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array()));
  expect(read('profile.json')).toMatchObject({ photo_url: address });
  const [photo] = read('photos.json');
  expect(photo).toMatchObject({ profile: true, fetched_from: 'https://images.example/me.png', listings: [] });
  expect(strFromU8((files[`photos/${photo.id}.webp`] ?? new Uint8Array()).subarray(8, 12))).toBe('WEBP');
});
