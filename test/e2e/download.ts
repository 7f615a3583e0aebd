import { buffer } from 'node:stream/consumers';
import type { Download } from 'playwright-core';

/** The bytes of a file that a page saved. */
export const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());
