import { useDeferredValue } from 'react';
import { isImageUrl } from '#contract/catalog/listing-rules.ts';
import { Cover } from '#web/ui/cover.tsx';

/** How the book will stand on the shelf: its picture, once the address is one, else the cover that is drawn for it. */
export const CoverPreview = ({ title, authors, imageUrl }: { title: string; authors: string; imageUrl: string }) => {
  // Typing comes first; the picture may follow a moment later.
  const url = useDeferredValue(imageUrl.trim());
  const picture = isImageUrl(url) ? url : '';
  return (
    <aside className="hidden xl:block" aria-label="How it will look">
      <div className="sticky top-6 flex flex-col gap-3">
        <Cover
          key={picture}
          title={title === '' ? 'Your book' : title}
          authors={authors}
          imageUrl={picture}
          className="w-full"
        />
        <p className="text-center text-sm text-muted">On the shelf</p>
      </div>
    </aside>
  );
};
