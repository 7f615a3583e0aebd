import { LISTING_FIELDS } from '#web/selling/listing-form.ts';
import type { PhotoQueue } from '#web/shell/photos/photo-queue.ts';
import type { Drafted, DraftKeeper } from './draft-keeper.ts';

/** What was typed into the form: what is empty is left out. */
const typedIn = (form: HTMLFormElement): Record<string, string> => {
  const data = new FormData(form);
  return Object.fromEntries(
    LISTING_FIELDS.flatMap((name) => {
      const value = data.get(name);
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
};

/** Has `keeper` keep what is typed into the form and which photos are there. Answers how to end it. */
export const watchForm = (
  form: HTMLFormElement,
  keeper: DraftKeeper,
  queue: Pick<PhotoQueue, 'chosen' | 'subscribe'>,
): (() => void) => {
  const read = (): Drafted => ({ fields: typedIn(form), photos: [...queue.chosen()] });
  const stops = [keeper.watch(read), queue.subscribe(keeper.note)];
  form.addEventListener('input', keeper.note);
  form.addEventListener('change', keeper.note);
  return () => {
    form.removeEventListener('input', keeper.note);
    form.removeEventListener('change', keeper.note);
    for (const stop of stops) stop();
  };
};
