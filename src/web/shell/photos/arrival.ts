import { ApiError } from '#web/api/api-error.ts';
import type { PhotoQueue } from './photo-queue.ts';

const when = (queue: PhotoQueue, isSo: () => boolean): Promise<void> => {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = queue.subscribe(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
};

/** Fulfils once a photo is there, or none is under way any more. */
export const firstThere = (queue: PhotoQueue): Promise<void> =>
  when(queue, () => queue.chosen().length > 0 || queue.underWay() === 0);

/** Fulfils once no photo is under way any more: each is there, refused or was taken away. */
export const allThere = (queue: PhotoQueue): Promise<void> => when(queue, () => queue.underWay() === 0);

/** The ids of all photos once they are there; throws where one is not taken, as its owner would miss it. */
export const arrivedIn = async (queue: PhotoQueue): Promise<string[]> => {
  await allThere(queue);
  if (queue.items().some(({ state }) => state === 'refused'))
    throw new ApiError({
      status: 422,
      code: 'photo_refused',
      message: 'A photo was not taken: see what stands beneath it, and try again or remove it.',
    });
  return queue.chosen().map(({ id }) => id);
};
