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
