import {
  MAX_PHOTO_RATIO,
  MIN_PHOTO_SIDE,
  PHOTO_REFUSALS,
  PHOTO_TYPES,
  type PhotoRefusal,
} from '#contract/catalog/photo-rules.ts';

/** Enough for the largest picture that the shop makes of it, also where it is turned. */
const LONGEST_SIDE = 2_048;
const MOST_BYTES = 600_000;
const QUALITIES = [0.82, 0.72, 0.6, 0.45] as const;

/** A picture that its owner has to choose anew, with the sentence that says why. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
  constructor(refusal: PhotoRefusal) {
    super(PHOTO_REFUSALS[refusal]);
  }
}

/** The bytes by which HEIC pictures are known (ISO/IEC 23008-12, 10.2): `ftyp` and one of these brands. */
const HEIC_BRANDS = ['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** Why a browser cannot read a file, by what its first bytes say. */
export const refusalOf = (head: Uint8Array, type: string): PhotoRefusal => {
  if (head.length === 0) return 'empty';
  const text = String.fromCharCode(...head.subarray(4, 12));
  if (text.startsWith('ftyp') && HEIC_BRANDS.includes(text.slice(4))) return 'heic';
  return (PHOTO_TYPES as readonly string[]).includes(type) ? 'broken' : 'kind';
};

/** Width and height of a picture made small; never larger than it was. */
export const fitted = (width: number, height: number, longest = LONGEST_SIDE): { width: number; height: number } => {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/** Why a picture of this size is not taken; undefined where it is. */
export const sizeRefusal = (width: number, height: number): PhotoRefusal | undefined => {
  const [small, large] = [Math.min(width, height), Math.max(width, height)];
  if (small < MIN_PHOTO_SIDE) return 'small';
  return large > MAX_PHOTO_RATIO * small ? 'long' : undefined;
};

const open = async (file: Blob): Promise<ImageBitmap> => {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    throw new PictureRefused(refusalOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()), file.type));
  }
};

const jpegOf = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

const draw = (bitmap: ImageBitmap, canvas: HTMLCanvasElement, longest: number): void => {
  Object.assign(canvas, fitted(bitmap.width, bitmap.height, longest));
  const context = canvas.getContext('2d');
  if (context === null) throw new PictureRefused('broken');
  // What a picture lets through would be black in a JPEG.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
};

let last: Promise<unknown> = Promise.resolve();

const shrinkNow = async (file: Blob): Promise<Blob> => {
  const bitmap = await open(file);
  const canvas = document.createElement('canvas');
  try {
    const refusal = sizeRefusal(bitmap.width, bitmap.height);
    if (refusal !== undefined) throw new PictureRefused(refusal);
    for (let longest = LONGEST_SIDE; ; longest = Math.round(longest * 0.75)) {
      draw(bitmap, canvas, longest);
      for (const quality of QUALITIES) {
        const made = await jpegOf(canvas, quality);
        if (made?.type !== 'image/jpeg') throw new PictureRefused('broken');
        if (made.size <= MOST_BYTES) return made;
      }
    }
  } finally {
    bitmap.close();
    // Phones count a canvas until it is collected: an iPhone has 384 MB for all of them.
    Object.assign(canvas, { width: 1, height: 1 });
  }
};

/**
 * Makes a picture small enough to travel: a JPEG of at most 600 kB and 2,048 pixels, turned as it was taken and without
 * what a camera writes beside it. One at a time, as each needs its memory. Throws `PictureRefused` with a sentence for
 * its owner.
 */
export const shrinkPicture = (file: Blob): Promise<Blob> => {
  const made = last.then(() => shrinkNow(file));
  last = made.catch(() => {});
  return made;
};
