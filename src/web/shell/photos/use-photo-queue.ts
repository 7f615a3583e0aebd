import { useEffect, useState, useSyncExternalStore } from 'react';
import { type ListingPhoto } from '#contract/catalog/photos.ts';
import { photoPath } from '#contract/catalog/photo-path.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { sendPhoto } from '#web/api/upload.ts';
import { createPhotoQueue, photosOf, type Failure, type PhotoItem, type PhotoQueue } from './photo-queue.ts';
import { PictureRefused, shrinkPicture } from './shrink.ts';
import { newUuid } from '#web/api/uuid.ts';

/** Longer than this nobody waits before a form: what is refused for so long is refused. */
const MOST_PATIENCE_SECONDS = 60;

/** Whether the same picture may be sent again by itself, and what its owner reads meanwhile. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof PictureRefused) return { again: false, says: error.message };
  if (!(error instanceof ApiError)) return { again: false, says: messageOf(error) };
  const { status, retryAfterSeconds = 0 } = error;
  if (status === 0) return { again: true, says: 'Waiting for the connection…' };
  if (status === 429 && retryAfterSeconds <= MOST_PATIENCE_SECONDS) return { again: true, says: 'Waiting a moment…' };
  if (status === 500 || status === 502 || status === 503) return { again: true, says: 'Trying again…' };
  return { again: false, says: error.message };
};

/** Photos that a form begins with. */
export type PhotosBefore = Parameters<typeof createPhotoQueue>[1];

/** The photos of a listing as its form begins with them. */
export const photosBefore = (photos: readonly ListingPhoto[]): PhotosBefore =>
  photosOf(photos, ({ name }) => photoPath(name, 320));

/** The photos of a form, which go on by themselves as soon as the connection is back. */
export const usePhotoQueue = (before?: PhotosBefore): { queue: PhotoQueue; items: readonly PhotoItem[] } => {
  const [queue] = useState(() =>
    createPhotoQueue({ newId: newUuid, shrink: shrinkPicture, send: sendPhoto, failureOf }, before),
  );
  const items = useSyncExternalStore(queue.subscribe, queue.items, queue.items);
  useEffect(() => {
    const goOn = (): void => queue.retry();
    addEventListener('online', goOn);
    return () => removeEventListener('online', goOn);
  }, [queue]);
  // What has not arrived is lost with the document.
  const isUnderWay = items.some(({ state }) => state === 'waiting' || state === 'sending');
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnderWay]);
  return { queue, items };
};
