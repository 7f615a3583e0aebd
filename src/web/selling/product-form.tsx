import { useState, type RefObject } from 'react';
import { Link, useNavigate } from 'react-router';
import { CONDITIONS, editListing, offerListing, type Category, type Listing } from '#contract/catalog/catalog.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { SellingTerms } from '#contract/catalog/selling-terms.ts';
import { MAX_IMAGE_URL_LENGTH } from '#contract/catalog/listing-rules.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { BookFacts } from './book-facts.tsx';
import { CoverPreview } from './cover-preview.tsx';
import {
  draftOf,
  editFormProblems,
  editOf,
  formProblems,
  LISTING_FIELDS,
  valuesOf,
  type ListingValues,
} from './listing-form.ts';
import { YouReceive } from './you-receive.tsx';

interface Props {
  user: SessionUser;
  categories: readonly Category[];
  terms: SellingTerms;
  /** The category chosen so far; a new one is chosen as soon as it is added. */
  category: string;
  onCategory: (id: string) => void;
  categoryField: RefObject<HTMLSelectElement | null>;
  /** The copy to change; without one a new copy is listed. */
  listing?: Listing;
  /** Nothing can be changed now. */
  locked?: boolean;
}

const WORDS = {
  add: { label: 'Add a product', send: 'Add product', busy: 'Adding the product…' },
  edit: { label: 'Edit the product', send: 'Save changes', busy: 'Saving the changes…' },
} as const;

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
  listing,
  locked,
}: Props) => {
  const navigate = useNavigate();
  const words = listing === undefined ? WORDS.add : WORDS.edit;
  // What the form began with: a list that is read again must not change what is being typed, nor what counts as a
  // change.
  const [before] = useState<Partial<ListingValues>>(() => (listing === undefined ? {} : valuesOf(listing)));
  const { title = '', authors = '', image_url = '', resale_price = '' } = before;
  const [price, setPrice] = useState(resale_price);
  const [cover, setCover] = useState({ title, authors, image_url });

  const send = async (values: ListingValues): Promise<void> => {
    if (listing === undefined) {
      const body = draftOf(values, user);
      await call(offerListing, { body });
      toast('Product Added Successful', { text: `${body.title} is in the shop now.` });
    } else {
      await call(editListing, { params: { id: listing._id }, body: editOf(values, before) });
      toast('Product Updated Successful', { text: `${values.title.trim()} is in the shop as you changed it.` });
    }
    await navigate('/dashboard/my_products');
  };
  const form = useForm({
    names: LISTING_FIELDS,
    check: (values) => (listing === undefined ? formProblems(values, user) : editFormProblems(values, before)),
    send,
  });
  const field = <Name extends keyof ListingValues>(name: Name) => ({
    ...form.field(name),
    defaultValue: before[name] ?? '',
  });
  const shownOnCover = (name: keyof typeof cover) => (event: { target: { value: string } }) => {
    const { value } = event.target;
    setCover((old) => ({ ...old, [name]: value }));
  };

  return (
    <form {...form.props} className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_11rem]" aria-label={words.label}>
      <fieldset disabled={locked} className="flex min-w-0 flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Seller name" value={user.displayName} disabled />
          <Field label="Email" type="email" value={user.email} disabled />
        </div>
        <Field
          {...field('title')}
          label="Title"
          maxLength={300}
          autoComplete="off"
          onChange={shownOnCover('title')}
          required
        />
        <Field
          {...field('image_url')}
          label="Image URL"
          type="url"
          inputMode="url"
          maxLength={MAX_IMAGE_URL_LENGTH}
          autoComplete="off"
          hint="The https address of a picture of the book. If it does not load, we draw a cover."
          onChange={shownOnCover('image_url')}
          required
        />
        <div className="grid gap-5 sm:grid-cols-3">
          <Field
            {...field('original_price')}
            label="Original price"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            hint="In dollars, when new"
            required
          />
          <div className="flex flex-col gap-1.5">
            <Field
              {...field('resale_price')}
              label="Resale price"
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              hint="$0.50 to $9,999.99"
              onChange={(event) => setPrice(event.target.value)}
              required
            />
            <YouReceive price={price} terms={terms} />
          </div>
          <Field
            {...field('years_of_use')}
            label="Years of use"
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            hint="Such as 2 or 0.5"
            required
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
        <div className="grid gap-5 sm:grid-cols-2">
          <Field {...field('location')} label="Location" maxLength={200} autoComplete="address-level2" required />
          <Field
            {...field('phone')}
            label="Phone"
            type="tel"
            maxLength={50}
            autoComplete="tel"
            hint="Shown to signed-in people only"
            required
          />
        </div>
        <TextArea
          {...field('details')}
          label="Details"
          maxLength={5_000}
          hint="What a buyer should know: marks, tears, a missing jacket, why it is worth reading"
          required
        />
        <BookFacts field={field} onAuthors={shownOnCover('authors')} />
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <Button {...form.button} className="self-start">
          {form.button.busy ? words.busy : words.send}
        </Button>
      </fieldset>
      <CoverPreview title={cover.title} authors={cover.authors} imageUrl={cover.image_url} />
    </form>
  );
};
