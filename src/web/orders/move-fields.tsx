import { useState } from 'react';
import { formatDollars } from '#contract/money/money.ts';
import { CAME_BACK_WORDS } from '#contract/orders/states.ts';
import type { Order, OrderBook } from '#contract/orders/orders.ts';
import type { Form } from '#web/shell/forms/use-form.ts';
import { PhotoPicker } from '#web/shell/photos/photo-picker.tsx';
import type { PhotoItem, PhotoQueue } from '#web/shell/photos/photo-queue.ts';
import { Field, Select, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { CARRIER_NAMES } from './carriers.ts';
import { ComplaintField } from './complaint-field.tsx';
import { keptCode } from './kept-code.ts';
import type { MoveField } from './moves.ts';
import { ALL, type FieldName } from './move-input.ts';

interface FieldsProps {
  order: Order;
  form: Form<FieldName>;
  photos: { queue: PhotoQueue; items: readonly PhotoItem[] };
}

const PostFields = ({ form }: FieldsProps) => {
  const [hasNone, setHasNone] = useState(false);
  return (
    <>
      <Select
        {...form.field('carrier')}
        {...(hasNone && { error: undefined })}
        label="Carrier"
        optional={hasNone}
        defaultValue=""
      >
        <option value="">Choose…</option>
        {CARRIER_NAMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
        <option>Another carrier</option>
      </Select>
      {!hasNone && (
        <Field
          {...form.field('tracking')}
          label="Tracking number"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
        />
      )}
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          name="none"
          className="size-5 shrink-0 accent-primary"
          checked={hasNone}
          onChange={(event) => setHasNone(event.target.checked)}
        />
        I have no tracking number
      </label>
      <div role="status" className="empty:hidden">
        {hasNone && (
          <Notice tone="warning">
            Without a number nobody can see where it is: if the buyer says that it did not come, the money goes back.
          </Notice>
        )}
      </div>
    </>
  );
};

const PickupFields = ({ order, form }: FieldsProps) => (
  <>
    <Field
      {...form.field('place')}
      label="Where"
      hint="As somebody finds it who has never been there. Only the buyer sees it."
      defaultValue={order.place}
      maxLength={300}
    />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field {...form.field('first')} label="First time" hint="For example: Saturday, 10 to 12" maxLength={140} />
      <Field {...form.field('second')} label="Second time" hint="For example: Monday, after 5 PM" maxLength={140} />
    </div>
  </>
);

const CodeField = ({ order, form }: FieldsProps) => (
  <Field
    {...form.field('code')}
    label="Code"
    hint="Six digits that the buyer shows you"
    inputMode="numeric"
    autoComplete="one-time-code"
    defaultValue={keptCode(order._id)}
    // Six digits, and the spaces some write between them.
    maxLength={8}
    spellCheck={false}
  />
);

/** What of a book's price its seller still has. */
const standing = ({ price, refunding, refunded }: OrderBook): number => price - refunding - refunded;
/** With its postage, which can be given back once the order is over. */
const standingWithPostage = (book: OrderBook): number => standing(book) + book.postage;

const isOver = ({ state }: Pick<Order, 'state'>): boolean => state === 'closed' || state === 'cancelled';

interface BookFieldProps extends FieldsProps {
  /** Whether it may be all of them. */
  isAbout: boolean;
  onChosen: (bookingId: string) => void;
}

const BookField = ({ order, form, isAbout, onChosen }: BookFieldProps) => (
  <Select
    {...form.field('bookingId')}
    label="Which book"
    defaultValue=""
    onChange={({ target }) => onChosen(target.value)}
  >
    <option value="">Choose…</option>
    {order.books
      .filter((book) => (isOver(order) ? standingWithPostage(book) : standing(book)) > 0)
      .map(({ bookingId, title }) => (
        <option key={bookingId} value={bookingId}>
          {title}
        </option>
      ))}
    {isAbout && <option value={ALL}>All of them</option>}
  </Select>
);

/** The most that can go back: of the book that is complained about, or all; of an order that is over, of any. */
export const mostOf = ({ state, problem, books }: Order): number => {
  if (isOver({ state })) return Math.max(...books.map(standingWithPostage));
  if (state !== 'problem' && state !== 'returning') return Math.max(...books.map(standing));
  const about = problem?.bookingId ?? null;
  return books
    .filter(({ bookingId }) => about === null || bookingId === about)
    .reduce((dollars, book) => dollars + standing(book), 0);
};

const AmountField = ({ order, form }: FieldsProps) => {
  return (
    <Field
      {...form.field('amount')}
      label="Amount in dollars"
      hint={`At most ${formatDollars(mostOf(order))}`}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
    />
  );
};

const WhyField = ({ form }: FieldsProps) => (
  <Select {...form.field('why')} label="Why it came back" defaultValue="">
    <option value="">Choose…</option>
    {Object.entries(CAME_BACK_WORDS).map(([why, words]) => (
      <option key={why} value={why}>
        {words}
      </option>
    ))}
  </Select>
);

/** The inputs of a move's fields, in their order. */
export const MoveFields = ({ fields, ...props }: FieldsProps & { fields: readonly MoveField[] }) => {
  const [chosen, setChosen] = useState('');
  const { books } = props.order;
  const about = books.length === 1 ? books[0] : books.find(({ bookingId }) => bookingId === chosen);
  return fields.map((field) => {
    switch (field) {
      case 'post':
        return <PostFields key={field} {...props} />;
      case 'pickup':
        return <PickupFields key={field} {...props} />;
      case 'code':
        return <CodeField key={field} {...props} />;
      case 'reason':
        return (
          <TextArea
            key={field}
            {...props.form.field('reason')}
            label="Why"
            hint={`${props.order.buyer} reads it.`}
            rows={3}
            maxLength={1_000}
          />
        );
      case 'book':
        return <BookField key={field} {...props} isAbout={fields.includes('words')} onChosen={setChosen} />;
      case 'kind':
        // Another book promised other things.
        return <ComplaintField key={`${field} ${about?.bookingId}`} {...props.form.field('kind')} book={about} />;
      case 'words':
        return (
          <TextArea
            key={field}
            {...props.form.field('words')}
            label="In your words"
            hint={`${props.order.seller} reads it, and the shop if it has to decide.`}
            maxLength={2_000}
          />
        );
      case 'amount':
        return <AmountField key={field} {...props} />;
      case 'why':
        return <WhyField key={field} {...props} />;
      case 'sendBack':
        return (
          <TextArea
            key={field}
            {...props.form.field('sendBack')}
            label="How to send it back"
            hint={`Where ${props.order.buyer} finds the paid label, or how else you pay for it, and the address it goes to. They read it here and by mail.`}
            rows={5}
            maxLength={1_000}
          />
        );
      case 'photos':
        return (
          <PhotoPicker
            key={field}
            {...props.photos}
            isOfCopy={false}
            hint={`Optional: up to 8 that show it. Only ${props.order.seller} and the shop see them.`}
          />
        );
      default:
        return field satisfies never;
    }
  });
};
