import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import reader from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { Decode } from './decoder.ts';

const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'UPCA'],
  // Both are told: the code by itself, and with the five digits beside it.
  eanAddOnSymbol: 'Read',
  tryHarder: true,
  maxNumberOfSymbols: 4,
};
/** More pixels than this make it slow, and read no better. */
const LONGEST_SIDE = 1_280;

/**
 * The decoder of ZXing, out of a file of the shop's own: left to itself it would fetch it from elsewhere. Waits until
 * it is there.
 */
export const wasmDecoder = async (): Promise<Decode> => {
  await prepareZXingModule({ overrides: { locateFile: () => reader }, fireImmediately: true });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('there is no canvas');
  return async (picture) => {
    const [width, height] =
      picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
    if (width === 0 || height === 0) return [];
    const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(context.getImageData(0, 0, canvas.width, canvas.height), OPTIONS);
    return found.map(({ text }) => text.replaceAll(/\D/g, ''));
  };
};
