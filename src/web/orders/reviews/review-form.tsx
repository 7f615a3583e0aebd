import './star-choice.css';
import { useId } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import type { Order } from '#contract/orders/orders.ts';
import { MAX_REVIEW_LENGTH, REVIEW_FACTS, writeReview, type OwnReview } from '#contract/orders/reviews.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { StarIcon } from '#web/shell/reviews/star-icon.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const STARS = [
  { value: 1, word: 'Bad' },
  { value: 2, word: 'Poor' },
  { value: 3, word: 'All right' },
  { value: 4, word: 'Good' },
  { value: 5, word: 'Excellent' },
] as const;

const NAMES = ['stars', 'asDescribed', 'wellPacked', 'inTime', 'words'] as const;

const FACT_WORDS: Record<string, boolean | null> = { yes: true, no: false };
const factOf = (value: string): boolean | null => FACT_WORDS[value] ?? null;
const wordOf = (fact: boolean | null | undefined): string => (fact == null ? '' : fact ? 'yes' : 'no');

/** Five stars to choose one of, by touch and by arrow keys. All up to the chosen one are filled, by CSS alone. */
const StarChoice = ({ chosen, error }: { chosen: number | undefined; error: string | undefined }) => {
  const id = useId();
  return (
    <fieldset
      role="radiogroup"
      tabIndex={-1}
      aria-invalid={error === undefined ? undefined : true}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="text-sm font-semibold">Your stars</legend>
      <div className="star-choice">
        {STARS.map(({ value, word }) => (
          <label key={value} title={word}>
            <input type="radio" name="stars" value={value} defaultChecked={chosen === value} />
            <StarIcon className="size-8" />
            <span className="sr-only">
              {value} {value === 1 ? 'star' : 'stars'}: {word}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-error" data-field-error>
          {error}
        </p>
      )}
    </fieldset>
  );
};

const FactChoice = ({ name, question, said }: { name: string; question: string; said: boolean | null | undefined }) => (
  <fieldset className="flex flex-wrap items-center gap-x-4">
    <legend className="float-left me-4 py-2 text-sm font-semibold">{question}</legend>
    {(
      [
        ['yes', 'Yes'],
        ['no', 'No'],
        ['', 'I do not say'],
      ] as const
    ).map(([value, label]) => (
      <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2 text-sm">
        <input
          type="radio"
          name={name}
          value={value}
          defaultChecked={wordOf(said) === value}
          className="size-5 accent-primary"
        />
        {label}
      </label>
    ))}
  </fieldset>
);

/** The viewer's review of the other side of an order. */
export const ReviewForm = ({
  order,
  mine,
  onDone,
}: {
  order: Order;
  mine: OwnReview | null;
  onDone: () => Promise<void>;
}) => {
  const form = useForm({
    names: NAMES,
    check: ({ stars }): FieldErrors => (stars === '' ? { stars: 'Please choose one to five stars' } : {}),
    send: async ({ stars, words, ...facts }) => {
      const draft = {
        stars: Number(stars),
        words,
        ...(order.side === 'buyer' && {
          asDescribed: factOf(facts.asDescribed),
          wellPacked: factOf(facts.wellPacked),
          inTime: factOf(facts.inTime),
        }),
      };
      const { state } = await call(writeReview, { params: { id: order._id }, body: draft });
      toast('Review saved', {
        ...(state === 'held' && { text: 'It names a link or a contact: an admin looks at it before it is shown.' }),
      });
      await onDone();
    },
  });
  const { error } = form.field('stars');
  const other = order.side === 'buyer' ? order.seller : order.buyer;
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <StarChoice chosen={mine?.stars} error={error} />
      {order.side === 'buyer' && (
        <div className="flex flex-col">
          {REVIEW_FACTS.map(({ name, question }) => (
            <FactChoice key={name} name={name} question={question} said={mine?.[name]} />
          ))}
        </div>
      )}
      <TextArea
        {...form.field('words')}
        label="In your words"
        optional
        hint={`What would others like to know of ${other}? No addresses, phone numbers or links: an admin would have to look at it first.`}
        rows={4}
        maxLength={MAX_REVIEW_LENGTH}
        defaultValue={mine?.words ?? ''}
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} className="sm:self-start">
        {mine === null ? 'Save review' : 'Change review'}
      </Button>
    </form>
  );
};
