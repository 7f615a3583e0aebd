import { editListing } from '#contract/catalog/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import { allThere } from '#web/shell/photos/arrival.ts';
import type { PhotoItem, PhotoQueue } from '#web/shell/photos/photo-queue.ts';

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** What became of the photos of a listing: which of them were refused, and why. */
export const arrivedInWords = (
  title: string,
  items: readonly Pick<PhotoItem, 'state' | 'says'>[],
): { isWhole: boolean; text: string } => {
  const refused = items.flatMap(({ state, says }, at) =>
    state === 'refused' ? [` Photo ${at + 1} was left out: ${sentence(says ?? 'it was refused')}`] : [],
  );
  const there = items.filter(({ state }) => state === 'there').length;
  const isWhole = refused.length === 0;
  const text = isWhole ? `${title} has ${there}.` : `${title} has ${there} of ${items.length}.${refused.join('')}`;
  return { isWhole, text };
};

/**
 * A listing was made while some of its photos were still on their way: they are added to it once they are there,
 * whatever page its seller is on by then. Until then leaving the document warns, as it would lose them.
 */
export const addLatePhotos = async (listing: { id: string; title: string }, queue: PhotoQueue): Promise<void> => {
  // The form's own warning goes with the form. One for each listing: two may be under way.
  const warning = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', warning);
  const to = `/dashboard/edit_product/${listing.id}`;
  const link = { children: 'Edit it', to, reloadDocument: true, rel: 'external' } as const;
  try {
    await allThere(queue);
    const photos = [...queue.chosen()];
    await call(editListing, { params: { id: listing.id }, body: { photos } });
    const { isWhole, text } = arrivedInWords(listing.title, queue.items());
    if (isWhole) toast('All photos are there', { text });
    else toast('Not all photos were added', { tone: 'error', text, link });
  } catch (error) {
    toast('Not all photos were added', { tone: 'error', text: `${listing.title}: ${messageOf(error)}`, link });
  } finally {
    removeEventListener('beforeunload', warning);
  }
};
