// Pictures as a phone takes them: 12 megapixels, no two the same.
import sharp from 'sharp';

/** As the pages send them, made small by the browser; and as the camera leaves them. */
export const PICTURES = {
  shrunk: { says: 'as the browser leaves them', width: 2_048, height: 1_536, quality: 82, grain: 9 },
  full: { says: 'as the camera leaves them', width: 4_000, height: 3_000, quality: 92, grain: 20 },
} as const;
export type PictureKind = keyof typeof PICTURES;

/** Shapes and colours, and the grain that makes a photo as large as it is. */
const draw = async (kind: PictureKind): Promise<Buffer> => {
  const { width, height, quality, grain } = PICTURES[kind];
  const [red, green, blue] = [0, 1, 2].map(() => 60 + Math.floor(Math.random() * 130));
  const noise = (side: number, sigma: number) => ({
    create: {
      width: Math.round(width / side),
      height: Math.round(height / side),
      channels: 3 as const,
      background: { r: red ?? 0, g: green ?? 0, b: blue ?? 0 },
      noise: { type: 'gaussian' as const, mean: 128, sigma },
    },
  });
  const shapes = await sharp(noise(160, 70))
    .resize(width, height, { fit: 'fill' })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const grains = await sharp(noise(1, grain)).png({ compressionLevel: 0 }).toBuffer();
  return sharp(shapes)
    .composite([{ input: grains, blend: 'overlay' }])
    .jpeg({ quality })
    .toBuffer();
};

export const picturesOf = async (kind: PictureKind, count: number): Promise<Buffer[]> => {
  const pictures: Buffer[] = [];
  for (let made = 0; made < count; made += 1) pictures.push(await draw(kind));
  return pictures;
};
