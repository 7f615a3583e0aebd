// Takes one picture up as a process of its own, for tests that end it between two steps:
// node test/photo-store/photo-worker.ts DATABASE_URL FOLDER USER PHOTO PICTURE
import { readFile } from 'node:fs/promises';
import { createPhotoMaker } from '#server/catalog/photos/making/maker.ts';
import { keepPicture } from '#server/catalog/photos/photo-files.service.ts';
import { createPhotoStore } from '#server/catalog/photos/store/photo-store.ts';
import { connect } from '#server/platform/postgres/db.ts';

const [databaseUrl = '', folder = '', ownerId = '', id = '', picture = ''] = process.argv.slice(2);
const { db, close } = connect(databaseUrl, { connections: 2 });
const maker = createPhotoMaker();
const bytes = await readFile(picture);
await keepPicture({ db, store: createPhotoStore({ folder }), maker }, { id, ownerId, fetchedFrom: null, bytes });
await maker.close();
await close();
