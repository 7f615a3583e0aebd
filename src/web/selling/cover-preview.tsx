import { Cover } from '#web/ui/cover.tsx';
import { PictureCanvas } from '#web/shell/photos/picture-canvas.tsx';

interface Props {
  title: string;
  authors: string;
  /** Its first photo, or where that is. */
  photo: Blob | string | undefined;
}

/**
 * How the book will stand on the shelf: its first photo, else the cover that is drawn for it. The picture at a typed
 * address is the shop's to fetch.
 */
export const CoverPreview = ({ title, authors, photo }: Props) => (
  <aside className="hidden xl:block" aria-label="How it will look">
    <div className="sticky top-6 flex flex-col gap-3">
      {photo instanceof Blob ? (
        <div className="cover-frame w-full">
          <PictureCanvas picture={photo} label={`Cover of ${title === '' ? 'your book' : title}`} />
        </div>
      ) : (
        <Cover
          key={photo}
          title={title === '' ? 'Your book' : title}
          authors={authors}
          imageUrl={photo ?? ''}
          className="w-full"
        />
      )}
      <p className="text-center text-sm text-muted">On the shelf</p>
    </div>
  </aside>
);
