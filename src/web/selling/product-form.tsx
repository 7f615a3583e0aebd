import { useEffect, useRef, useState, type RefObject } from 'react';
import { Link, useNavigate } from 'react-router';
import { CONDITIONS, editListing, offerListing, type Category, type ListingDetail } from '#contract/catalog/catalog.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { SellingTerms } from '#contract/catalog/selling-terms.ts';
import type { PhotoChoice } from '#contract/catalog/photos.ts';
import { MAX_IMAGE_URL_LENGTH } from '#contract/catalog/listing-rules.ts';
import { MAX_TITLE_LENGTH } from '#contract/catalog/title.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { BookFacts } from './book-facts.tsx';
import { CoverPreview } from './cover-preview.tsx';
import type { DraftKeeper } from './drafts/draft-keeper.ts';
import { watchForm } from './drafts/watch-form.ts';
import type { LastDelivery } from './delivery/last-delivery.tsx';
import { IsbnField } from './isbn/isbn-field.tsx';
import { Demand } from './isbn/demand.tsx';
import { PriceHelp } from './isbn/price-help.tsx';
import {
  AS_ALL,
  draftOf,
  editFormProblems,
  editOf,
  formProblems,
  keptOf,
  LISTING_FIELDS,
  PHOTOS_SAY_IT,
  NOT_KNOWN,
  valuesOf,
  type KeptValues,
  type ListingValues,
} from './listing-form.ts';
import { MaybeKnown } from './maybe-known.tsx';
import { dropDraft } from './drafts/listing-draft.ts';
import { PassportPart } from './passport/passport-part.tsx';
import { addLatePhotos } from './photos/late-photos.ts';
import { firstThere } from '#web/shell/photos/arrival.ts';
import { PhotoPicker } from '#web/shell/photos/photo-picker.tsx';
import { photosBefore, usePhotoQueue, type PhotosBefore } from '#web/shell/photos/use-photo-queue.ts';
import { YouReceive } from './you-receive.tsx';

interface Props {
  user: SessionUser;
  categories: readonly Category[];
  terms: SellingTerms;
  /** The category chosen so far; a new one is chosen as soon as it is added. */
  category: string;
  onCategory: (id: string) => void;
  categoryField: RefObject<HTMLSelectElement | null>;
  /** What a new copy has in common with the one listed before, or what was typed of it earlier. */
  kept?: Partial<ListingValues>;
  /** How the copy before was delivered, where that is not as all of the seller's. */
  lastDelivery?: LastDelivery | undefined;
  /** Keeps what is typed of a new copy, and the photos that were chosen of it earlier. */
  draft?: { readonly keeper: DraftKeeper; readonly photos: PhotosBefore | undefined };
  /** Where a new copy is once it is listed, after its title. */
  listed?: string;
  /** It follows another one, which was listed a moment ago: it begins with its first field. */
  isNext?: boolean;
  /** An ISBN that its seller came with. */
  brought?: string | undefined;
  /** Begins anew with what stays the same. */
  onNext?: (kept: KeptValues) => void;
  /** The copy to change; without one a new copy is listed. */
  listing?: ListingDetail;
  /** Nothing can be changed now. */
  locked?: boolean;
}

const WORDS = {
  add: { label: 'Add a product', send: 'Add product', busy: 'Adding the product…' },
  edit: { label: 'Edit the product', send: 'Save changes', busy: 'Saving the changes…' },
} as const;

const DETAILS_HINT = 'What a buyer should know: marks, tears, a missing jacket, why it is worth reading';

const isSame = (chosen: readonly PhotoChoice[], before: readonly PhotoChoice[]): boolean =>
  chosen.length === before.length &&
  chosen.every(({ id, caption }, at) => id === before[at]?.id && caption === before[at].caption);

const AddCategory = ({ none }: { none: boolean }) => (
  <>
    {none ? 'There is none yet. ' : 'None fits? '}
    <Link to="#add-category" className="text-link">
      Add a category
    </Link>
  </>
);

/**
 * Lists a copy, or changes one. The same rules as on the server run first; what the server refuses stands beside the
 * field it is about.
 */
export const ProductForm = ({
  user,
  categories,
  terms,
  category,
  onCategory,
  categoryField,
  kept = {},
  lastDelivery,
  listed = 'is in the shop now.',
  isNext = false,
  brought,
  onNext,
  draft,
  listing,
  locked,
}: Props) => {
  const navigate = useNavigate();
  const words = listing === undefined ? WORDS.add : WORDS.edit;
  // What the form began with: a list that is read again must not change what is being typed, nor what counts as a
  // change.
  const [before] = useState<Partial<ListingValues>>(() => (listing === undefined ? kept : valuesOf(listing)));
  const { title = '', authors = '', resale_price = '' } = before;
  const [price, setPrice] = useState(resale_price);
  const [cover, setCover] = useState({ title, authors });

  const [photosAtFirst] = useState(() => draft?.photos ?? photosBefore(listing?.photos ?? []));
  const { queue, items } = usePhotoQueue(photosAtFirst);
  /** What is under way counts as there: it is waited for. */
  const expected = (): readonly PhotoChoice[] =>
    queue.chosen().length === 0 && queue.underWay() > 0
      ? items.map(({ id, caption }) => ({ id, caption }))
      : queue.chosen();
  /** Undefined while they are as they were. */
  const changedPhotos = (): readonly PhotoChoice[] | undefined =>
    isSame(queue.chosen(), listing?.photos ?? []) ? undefined : queue.chosen();

  const goesOn = useRef(false);
  const send = async (values: ListingValues): Promise<void> => {
    await firstThere(queue);
    if (listing === undefined) {
      const body = draftOf(values, user, queue.chosen(), lastDelivery?.own);
      const { insertedId, held } = await call(offerListing, { body });
      void draft?.keeper.settle().then(dropDraft);
      toast('Product Added Successful', {
        text: `${body.title} ${held === true ? 'goes live once we have looked at it.' : listed}${queue.underWay() > 0 ? ' Its other photos follow.' : ''}`,
      });
      if (queue.underWay() > 0) void addLatePhotos({ id: insertedId, title: body.title }, queue);
      // Once what was typed is settled, so that the next form does not begin with it.
      if (goesOn.current) return void setTimeout(() => onNext?.(keptOf(values)));
    } else {
      const body = editOf(values, before, changedPhotos());
      await call(editListing, { params: { id: listing._id }, body });
      if (queue.underWay() > 0) void addLatePhotos({ id: listing._id, title: values.title.trim() }, queue);
      toast('Product Updated Successful', { text: `${values.title.trim()} is in the shop as you changed it.` });
    }
    await navigate('/dashboard/my_products');
  };
  const form = useForm({
    names: LISTING_FIELDS,
    check: (values) =>
      listing === undefined
        ? formProblems(values, user, expected())
        : editFormProblems(values, before, changedPhotos()),
    send,
  });
  const keeper = draft?.keeper;
  useEffect(() => {
    const element = categoryField.current?.form;
    return keeper && element ? watchForm(element, keeper, queue) : undefined;
  }, [keeper, queue, categoryField]);
  // A page that is read again begins at its top; a form that begins again, too.
  useEffect(() => {
    if (!isNext) return;
    const first = document.querySelector<HTMLInputElement>('input[name="isbn13"]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  }, [isNext]);
  const field = <Name extends keyof ListingValues>(name: Name) => ({
    ...form.field(name),
    defaultValue: before[name] ?? '',
  });
  const box = (name: 'original_known' | 'years_known', label: string) => ({
    name,
    label,
    defaultChecked: before[name] === NOT_KNOWN,
  });
  const shownOnCover = (name: keyof typeof cover) => (event: { target: { value: string } }) => {
    const { value } = event.target;
    setCover((old) => ({ ...old, [name]: value }));
  };

  return (
    <form {...form.props} className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_11rem]" aria-label={words.label}>
      <fieldset disabled={locked} className="flex min-w-0 flex-col gap-5">
        <IsbnField {...field('isbn13')} disabled={locked} brought={brought} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Seller name" value={user.displayName} disabled />
          <Field label="Email" type="email" value={user.email} disabled />
        </div>
        <Field
          {...field('title')}
          label="Title"
          maxLength={MAX_TITLE_LENGTH}
          autoComplete="off"
          onChange={shownOnCover('title')}
          required
        />
        <PhotoPicker
          queue={queue}
          items={items}
          hint="Up to 8 of this very copy: its cover first, then back, spine and whatever a buyer should see. You can go on as soon as the first is there."
        />
        <Field
          {...field('image_url')}
          label="Image URL"
          type="url"
          inputMode="url"
          maxLength={MAX_IMAGE_URL_LENGTH}
          autoComplete="off"
          hint="Instead of photos: the https address of a picture of the book, which we fetch once."
          optional={items.length > 0}
          required={items.length === 0}
        />
        <div className="grid gap-5 sm:grid-cols-3">
          <MaybeKnown
            {...field('original_price')}
            label="Original price"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            hint="In dollars, when new"
            box={box('original_known', 'Price when new: not known')}
          />
          <div className="flex flex-col gap-1.5">
            <Field
              {...field('resale_price')}
              label="Resale price"
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              hint="$0.50 to $99,999.99"
              onChange={(event) => setPrice(event.target.value)}
              required
            />
            <YouReceive price={price} terms={terms} />
            <PriceHelp />
            <Demand />
          </div>
          <MaybeKnown
            {...field('years_of_use')}
            label="Years of use"
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            hint="Such as 2 or 0.5"
            box={box('years_known', 'Age: not known')}
          />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            {...form.field('category_id')}
            label="Category"
            value={category}
            onChange={(event) => onCategory(event.target.value)}
            hint={listing === undefined ? <AddCategory none={categories.length === 0} /> : undefined}
            ref={categoryField}
            required
          >
            <option value="" disabled>
              Choose a category
            </option>
            {categories.map(({ category_id, category_name }) => (
              <option key={category_id} value={category_id}>
                {category_name}
              </option>
            ))}
          </Select>
          <Select {...field('condition')} label="Condition" hint="As a careful reader would judge it" required>
            <option value="" disabled>
              Choose a condition
            </option>
            {CONDITIONS.map((condition) => (
              <option key={condition}>{condition}</option>
            ))}
          </Select>
        </div>
        <PassportPart {...field('passport')} photos={queue.chosen()} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field {...field('location')} label="Location" maxLength={200} autoComplete="address-level2" required />
          <Field
            {...field('phone')}
            label="Phone"
            type="tel"
            maxLength={50}
            autoComplete="tel"
            hint="Shown to whoever has paid for it"
            required
          />
        </div>
        {lastDelivery && (
          <lastDelivery.Shown
            place={before.location ?? ''}
            field={form.field('delivery')}
            defaultChecked={before.delivery === AS_ALL}
          />
        )}
        <TextArea
          {...field('details')}
          label="Details"
          maxLength={5_000}
          hint={items.length === 0 ? DETAILS_HINT : `${DETAILS_HINT}. Left empty, buyers read: “${PHOTOS_SAY_IT}”`}
          required={items.length === 0}
        />
        <BookFacts field={field} onAuthors={shownOnCover('authors')} />
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button {...form.button} onClick={() => (goesOn.current = false)}>
            {form.button.busy ? words.busy : words.send}
          </Button>
          {onNext !== undefined && (
            <Button {...form.button} look="secondary" onClick={() => (goesOn.current = true)}>
              Add it, and the next one
            </Button>
          )}
        </div>
      </fieldset>
      <CoverPreview title={cover.title} authors={cover.authors} photo={items[0]?.preview} />
    </form>
  );
};
