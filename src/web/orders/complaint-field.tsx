import { useId } from 'react';
import { promisedStatements } from '#contract/bookings/promise-words.ts';
import type { CopyPromise } from '#contract/bookings/promise.ts';
import type { OrderBook, OrderMoveRequest } from '#contract/orders/orders.ts';
import { isStatement, STATEMENT_WORDS, type Statement } from '#contract/orders/states.ts';

type Complaint = Pick<OrderMoveRequest, 'kind' | 'statement'>;

const NOT_AS_DESCRIBED = 'not-as-described';
/** What every book says of itself, in an order that is about several, or of before promises were kept whole. */
const ALWAYS: readonly Statement[] = ['title', 'author', 'condition', 'details', 'picture'];

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What was chosen as wrong. */
export const complaintOf = (chosen: string): Complaint => {
  if (chosen === 'damaged') return { kind: 'damaged' };
  const [kind, statement = ''] = chosen.split(':');
  if (kind !== NOT_AS_DESCRIBED) return {};
  return { kind, ...(isStatement(statement) && { statement }) };
};

interface Offered {
  readonly value: string;
  readonly label: string;
  /** As it was promised. */
  readonly words: string;
}

const offeredOf = (promise: CopyPromise | null): Offered[] =>
  promise === null
    ? ALWAYS.map((name) => ({ value: `${NOT_AS_DESCRIBED}:${name}`, label: capital(STATEMENT_WORDS[name]), words: '' }))
    : promisedStatements(promise).map(({ name, label, words }) => ({
        value: `${NOT_AS_DESCRIBED}:${name}`,
        label,
        words: name === 'picture' ? 'As they show it' : words,
      }));

interface Props {
  name: string;
  error?: string | undefined;
  /** What it is about; undefined where that is not known, or it is several. */
  book: OrderBook | undefined;
}

/** What was promised, statement by statement: the buyer ticks the one that is untrue, or says that it is damaged. */
export const ComplaintField = ({ name, error, book }: Props) => {
  const id = useId();
  const hasError = error !== undefined && error !== '';
  const offered: Offered[] = [
    ...offeredOf(book?.promise?.terms ?? null),
    { value: NOT_AS_DESCRIBED, label: 'Something else is not as described', words: '' },
    { value: 'damaged', label: 'It came damaged', words: '' },
  ];
  return (
    <fieldset
      role="radiogroup"
      // Where the focus goes when nothing was chosen.
      tabIndex={-1}
      className="flex min-w-0 flex-col"
      aria-invalid={hasError || undefined}
      aria-describedby={hasError ? `${id}-error` : undefined}
    >
      <legend className="mb-1 text-sm font-semibold">What is wrong</legend>
      {book?.promise != null && (
        <p className="mb-1 text-sm text-muted">This was promised. Tick what is untrue; tell the rest in your words.</p>
      )}
      {offered.map(({ value, label, words }) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3 py-1">
          <input type="radio" name={name} value={value} className="size-5 shrink-0 accent-primary" />
          <span className="min-w-0 break-words">
            {label}
            {words !== '' && (
              <span dir="auto" className="line-clamp-3 block text-sm text-muted">
                {words}
              </span>
            )}
          </span>
        </label>
      ))}
      {hasError && (
        <p id={`${id}-error`} className="text-sm text-error" data-field-error>
          {error}
        </p>
      )}
    </fieldset>
  );
};
