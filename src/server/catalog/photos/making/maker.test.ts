import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { blackPng } from '#test/photos.ts';
import { createPhotoMaker, type Made } from './maker.ts';

const maker = createPhotoMaker();
afterAll(() => maker.close());

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });

/** What no compressor makes small. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

const madeOf = async (bytes: Uint8Array): Promise<Made> => {
  const answer = await maker.make(bytes);
  if (!('made' in answer)) throw new Error(`refused: ${answer.refused} (${answer.words})`);
  return answer.made;
};

const refusalOf = async (bytes: Uint8Array): Promise<string | undefined> => {
  const answer = await maker.make(bytes);
  return 'made' in answer ? undefined : answer.refused;
};

test.each([
  ['JPEG', () => plain(2_000, 1_500).jpeg().toBuffer()],
  ['PNG', () => plain(2_000, 1_500).png().toBuffer()],
  ['PNG of 16 bits', () => plain(2_000, 1_500).toColourspace('rgb16').png().toBuffer()],
  ['WebP', () => plain(2_000, 1_500).webp().toBuffer()],
  ['AVIF', () => plain(2_000, 1_500).avif({ effort: 0 }).toBuffer()],
  ['JPEG of four inks', () => plain(2_000, 1_500).toColourspace('cmyk').jpeg().toBuffer()],
  ['JPEG in grey', () => plain(2_000, 1_500).toColourspace('b-w').jpeg().toBuffer()],
])('a %s becomes WebP in three sizes, and one JPEG', async (_, draw) => {
  const { forms, shared } = await madeOf(await draw());
  expect(forms.map(({ width, height }) => [width, height])).toEqual([
    [320, 240],
    [720, 540],
    [1_600, 1_200],
  ]);
  for (const { bytes, width, height } of forms) {
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height, space: 'srgb', channels: 3 });
  }
  expect(await sharp(shared.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1_200, height: 630 });
});

test('a small picture is not made larger, and its colour is told', async () => {
  const { forms, colour } = await madeOf(await plain(400, 600).png().toBuffer());
  expect(forms.map(({ width, height }) => [width, height])).toEqual([
    [213, 320],
    [400, 600],
  ]);
  expect(colour).toEqual([200, 80, 40]);
});

test('a picture is turned as its camera was held, and where and by what it was taken is not in it', async () => {
  const taken = await plain(400, 300)
    .jpeg()
    .withExif({
      IFD0: { Make: 'SECRET-CAMERA' },
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' },
    })
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect(taken.includes('SECRET-CAMERA')).toBe(true);
  const { forms, shared } = await madeOf(taken);
  expect(forms.at(-1)).toMatchObject({ width: 300, height: 400 });
  for (const { bytes } of [...forms, shared]) {
    expect(Buffer.from(bytes).includes('SECRET-CAMERA')).toBe(false);
    const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
  }
});

test('what hangs behind a picture is not in what is made of it', async () => {
  const polyglot = Buffer.concat([
    await plain(400, 300).jpeg().toBuffer(),
    Buffer.from('<script>alert(document.domain)</script>'),
  ]);
  const { forms, shared } = await madeOf(polyglot);
  for (const { bytes } of [...forms, shared]) expect(Buffer.from(bytes).includes('<script>')).toBe(false);
});

test('of a moving picture the first frame is taken', async () => {
  const frames = ['#ff0000', '#0000ff'].map((background) =>
    sharp({ create: { width: 300, height: 600, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const moving = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();
  expect((await sharp(moving).metadata()).pages).toBe(2);
  const { forms, colour } = await madeOf(moving);
  expect(forms.at(-1)).toMatchObject({ width: 300, height: 600 });
  expect(colour).toEqual([255, 0, 0]);
});

test.each([
  ['nothing', 'empty', () => Buffer.alloc(0)],
  ['text', 'kind', () => Buffer.from('no picture '.repeat(100))],
  ['SVG', 'kind', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>')],
  ['GIF', 'kind', () => plain(300, 300).gif().toBuffer()],
  ['TIFF', 'kind', () => plain(300, 300).tiff().toBuffer()],
  ['PDF', 'kind', () => Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n%%EOF')],
  ['ZIP', 'kind', () => Buffer.from('504b03041400000000000000', 'hex')],
  [
    'HEIC',
    'heic',
    () => Buffer.concat([Buffer.from('0000001866747970686569630000000068656963', 'hex'), Buffer.alloc(400)]),
  ],
  ['10,000 × 1', 'small', () => plain(10_000, 1).png().toBuffer()],
  ['199 pixels high', 'small', () => plain(300, 199).png().toBuffer()],
  ['1,001 × 200', 'long', () => plain(1_001, 200).png().toBuffer()],
  ['51 megapixels', 'large', () => plain(7_150, 7_150).png().toBuffer()],
  ['30,000² in 109 kB', 'large', () => blackPng(30_000, 30_000)],
  ['half a JPEG', 'broken', async () => (await noise(800, 600).jpeg().toBuffer()).subarray(0, 60_000)],
  ['half a PNG', 'broken', async () => (await noise(800, 600).png().toBuffer()).subarray(0, 600_000)],
])('%s is refused (%s)', async (_, refusal, draw) => {
  expect(await refusalOf(await draw())).toBe(refusal);
});

test('49 megapixels in 6 kB are taken', async () => {
  const { forms } = await madeOf(blackPng(7_000, 7_000));
  expect(forms.at(-1)).toMatchObject({ width: 1_600, height: 1_600 });
});

test('whoever takes too long is ended, and the next picture is made', async () => {
  const hurried = createPhotoMaker({ limitMs: 1 });
  try {
    expect(await hurried.make(await noise(4_000, 3_000).jpeg().toBuffer())).toMatchObject({ refused: 'slow' });
  } finally {
    await hurried.close();
  }
  expect(await refusalOf(await plain(300, 300).jpeg().toBuffer())).toBeUndefined();
});
