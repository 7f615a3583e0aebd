// Decodes pictures of strangers and writes them anew; a program of its own, which may read the library's files and do
// nothing else. It imports none of ours: it runs as it stands here (see maker.ts).
import process from 'node:process';
import sharp from 'sharp';

/** What is asked of it; all sizes in pixels. */
export interface Making {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly maxPixels: number;
  readonly minSide: number;
  readonly maxRatio: number;
  readonly sides: readonly number[];
  readonly shared: { readonly width: number; readonly height: number };
}

export interface MadeFile {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** What becomes of it. */
export interface Made {
  /** WebP, the smallest first; a side that the original does not have is left out. */
  readonly forms: readonly MadeFile[];
  /** JPEG. */
  readonly shared: MadeFile;
  /** Red, green and blue from 0 to 255, of all of it together. */
  readonly colour: readonly [number, number, number];
}

export type Refused = 'kind' | 'heic' | 'large' | 'small' | 'long' | 'broken';
export type Answer =
  | { readonly id: number; readonly made: Made }
  | { readonly id: number; readonly refused: Refused; readonly words: string };

/** Bytes of resident memory beyond which the program ends itself, whatever it is doing. */
const MOST_MEMORY = 400_000_000;
const WATCH_MS = 50;
const WEBP = { quality: 80, effort: 3 } as const;
const JPEG = { quality: 80, mozjpeg: true } as const;
const PAPER = { r: 246, g: 240, b: 230 } as const;

sharp.cache(false);
sharp.concurrency(1);
// Every reader but those of the four formats: pictures of text (SVG), of documents and of rare programs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});

/** Why a picture is not taken. */
class Refusal extends Error {
  readonly refused: Refused;
  constructor(refused: Refused, words: string) {
    super(words);
    this.refused = refused;
  }
}

const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'heif']);

/** `ftyp` and the brand of a HEIC file, which no library here decodes, are told from what is no picture. */
const isHeic = (bytes: Uint8Array): boolean =>
  /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(Buffer.from(bytes.subarray(4, 12)).toString('latin1'));

const check = async (making: Making): Promise<void> => {
  const { bytes, maxPixels, minSide, maxRatio } = making;
  const found = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!FORMATS.has(found.format)) throw new Refusal('kind', found.format);
  if (found.format === 'heif' && found.compression !== 'av1') throw new Refusal('heic', String(found.compression));
  const { width, height } = found;
  const says = `${width} × ${height}`;
  if (width * height > maxPixels) throw new Refusal('large', says);
  const [least, most] = width < height ? [width, height] : [height, width];
  if (least < minSide) throw new Refusal('small', says);
  if (most > least * maxRatio) throw new Refusal('long', says);
};

const make = async (making: Making): Promise<Made> => {
  await check(making);
  const { bytes, maxPixels, sides, shared } = making;
  const largest = Math.max(...sides);
  const size = { width: largest, height: largest, fit: 'inside', withoutEnlargement: true } as const;
  // Decoded once, turned as its camera was held, on paper where it is transparent; all else is made of these pixels.
  const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
    .autoOrient()
    .resize(size)
    .flatten({ background: PAPER })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (info.channels !== 3) throw new Refusal('broken', `${info.channels} channels`);
  const pixels = () => sharp(data, { raw: { width, height, channels: 3 } });
  const own = Math.max(width, height);
  const forms: MadeFile[] = [];
  for (const side of [...sides.filter((each) => each < own), own]) {
    const form = await pixels()
      .resize({ width: side, height: side, fit: 'inside' })
      .webp(WEBP)
      .toBuffer({ resolveWithObject: true });
    forms.push({ width: form.info.width, height: form.info.height, bytes: form.data });
  }
  const { channels } = await pixels().stats();
  const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => Math.round(mean));
  const other = await pixels()
    .resize({ ...shared, fit: 'contain', background: PAPER })
    .jpeg(JPEG)
    .toBuffer();
  return { forms, shared: { ...shared, bytes: other }, colour: [red, green, blue] };
};

const answer = async (making: Making): Promise<Answer> => {
  const { id, bytes } = making;
  try {
    return { id, made: await make(making) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (error instanceof Refusal) return { id, refused: error.refused, words };
    if (isHeic(bytes)) return { id, refused: 'heic', words };
    if (/pixel limit/i.test(words)) return { id, refused: 'large', words };
    return { id, refused: /unsupported image format/i.test(words) ? 'kind' : 'broken', words };
  }
};

// The decoder works beside this thread, which is free to look.
setInterval(() => {
  if (process.memoryUsage.rss() > MOST_MEMORY) process.kill(process.pid, 'SIGKILL');
}, WATCH_MS).unref();

process.on('message', (making: Making) => {
  void answer(making).then((answered) => process.send?.(answered));
});
