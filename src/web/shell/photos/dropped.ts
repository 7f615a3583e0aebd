import { MAX_PHOTOS } from '#contract/catalog/photos.ts';
import { PHOTO_REFUSALS } from '#contract/catalog/photo-rules.ts';

/** Pictures, and what is none; a file whose type nobody knows may be one, as HEIC is to some systems. */
export const sortFiles = <File extends { readonly type: string }>(
  files: readonly File[],
): { pictures: File[]; others: File[] } => {
  const isPicture = ({ type }: File): boolean => type === '' || type.startsWith('image/');
  return { pictures: files.filter(isPicture), others: files.filter((file) => !isPicture(file)) };
};

interface LeftOut {
  readonly tooMany: number;
  /** How many pictures came with `others`, and the names of those, which are none. */
  readonly pictures?: number;
  readonly others?: readonly string[];
}

/** What of the chosen files was not taken, and why; nothing where all were. */
export const leftOutInWords = ({ tooMany, pictures = 0, others = [] }: LeftOut): string => {
  const sentences: string[] = [];
  if (tooMany > 0) sentences.push(`At most ${MAX_PHOTOS} photos: ${tooMany} of them were left out.`);
  if (others.length > 0) {
    // Alone they need no names: nothing else was dropped.
    const which = pictures > 0 ? `Left out: ${others.join(', ')}. ` : '';
    sentences.push(`${which}${PHOTO_REFUSALS.kind}.`);
  }
  return sentences.join(' ');
};
