import type { Config } from '#server/platform/config.ts';
import { createFolderStore } from './folder-store.ts';
import { createS3Store } from './s3-store.ts';
import type { PhotoStore } from './stored.ts';

export { StoreFullError, type PhotoStore } from './stored.ts';

/** The store that the configuration names. */
export const createPhotoStore = (config: Config['photos']): PhotoStore =>
  'folder' in config ? createFolderStore(config.folder) : createS3Store(config);
