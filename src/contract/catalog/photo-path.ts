import type { PhotoSide } from './photo-sizes.ts';

/** Where a public photo is, below the shop's address. */
export const photoPath = (name: string, side: PhotoSide): string => `/photos/${name}/${side}.webp`;
