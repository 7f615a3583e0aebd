import type { PhotoCaption } from './photo-rules.ts';

/** What a photo shows, to begin a sentence with. */
export const CAPTION_WORDS = {
  front: 'Front',
  back: 'Back',
  spine: 'Spine',
  inside: 'Inside',
  damage: 'Damage',
} as const satisfies Record<PhotoCaption, string>;

/** What somebody who cannot see a photo is told of it. */
export const photoAlt = (
  title: string,
  { caption, sample }: { readonly caption: PhotoCaption | null; readonly sample: boolean },
  at: number,
): string => {
  const shown = caption === null ? `Photo ${at + 1} of ${title}` : `${CAPTION_WORDS[caption]} of ${title}`;
  return sample ? `Sample photo: ${shown}` : shown;
};
