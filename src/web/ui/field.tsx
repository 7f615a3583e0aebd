import { useId, type ComponentProps, type ReactNode } from 'react';
import { classes } from './classes.ts';

interface FrameProps {
  label: string;
  /** The rule, shown before the mistake. */
  hint?: ReactNode;
  /** What is wrong, shown beside the field and read with it. */
  error?: string | undefined;
  /** What may be sent but had better not: read out when it appears. Empty while there is nothing to say. */
  warning?: string | undefined;
  /** Says "(optional)" beside the label. */
  optional?: boolean;
  /** Something at the end of the label's line, such as a SHOW switch. */
  beside?: ReactNode;
  className?: string | undefined;
}

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const Frame = ({
  label,
  hint,
  error,
  warning,
  optional,
  beside,
  className,
  children,
}: FrameProps & { children: (wiring: Wiring) => ReactNode }) => {
  const id = useId();
  const hasError = error !== undefined && error !== '';
  const described = [hasError && `${id}-error`, warning && `${id}-warning`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={classes('flex flex-col gap-1.5', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-2">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
          {optional === true && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {beside}
      </div>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': hasError || undefined,
      })}
      {hasError && (
        <p id={`${id}-error`} className="text-sm text-error" data-field-error>
          {error}
        </p>
      )}
      {warning !== undefined && (
        <p id={`${id}-warning`} role="status" className="text-sm text-warning empty:hidden">
          {warning}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
};

export type FieldProps = FrameProps & Omit<ComponentProps<'input'>, 'id' | 'className'>;

/** A labelled input with its rule and its mistake. All props of `<input>` but id and className go to the input. */
export const Field = ({ label, hint, error, warning, optional, beside, className, ...input }: FieldProps) => (
  <Frame
    label={label}
    hint={hint}
    error={error}
    warning={warning}
    optional={optional}
    beside={beside}
    className={className}
  >
    {(wiring) => (
      <input
        dir="auto"
        {...input}
        {...wiring}
        className={
          input.readOnly === true
            ? 'w-full rounded-field text-base'
            : classes('input h-11 w-full text-base disabled:text-muted sm:text-sm', error ? 'input-error' : '')
        }
      />
    )}
  </Frame>
);

export type TextAreaProps = Omit<FrameProps, 'warning'> & Omit<ComponentProps<'textarea'>, 'id' | 'className'>;

/** As `Field`, for several lines. */
export const TextArea = ({ label, hint, error, optional, beside, className, ...area }: TextAreaProps) => (
  <Frame label={label} hint={hint} error={error} optional={optional} beside={beside} className={className}>
    {(wiring) => (
      <textarea
        dir="auto"
        rows={4}
        {...area}
        {...wiring}
        className={classes('textarea w-full text-base sm:text-sm', error ? 'textarea-error' : '')}
      />
    )}
  </Frame>
);

/** Letters of a line at least, where a browser does not fit the box to its text by itself. */
const LETTERS_A_LINE = 20;

/** A text that is shown as a field and cannot be changed, in as many lines as it takes. */
export const ReadOnlyText = ({ label, value }: { label: string; value: string }) => (
  <Frame label={label}>
    {(wiring) => (
      <textarea
        dir="auto"
        readOnly
        rows={Math.ceil(value.length / LETTERS_A_LINE)}
        value={value}
        {...wiring}
        className="field-sizing-content w-full resize-none rounded-field text-base wrap-anywhere"
      />
    )}
  </Frame>
);

export type SelectProps = Omit<FrameProps, 'warning'> & Omit<ComponentProps<'select'>, 'id' | 'className'>;

/** As `Field`, for a choice; `children` are the `<option>`s. */
export const Select = ({ label, hint, error, optional, beside, className, children, ...select }: SelectProps) => (
  <Frame label={label} hint={hint} error={error} optional={optional} beside={beside} className={className}>
    {(wiring) => (
      <select
        {...select}
        {...wiring}
        className={classes('select h-11 w-full text-base sm:text-sm', error ? 'select-error' : '')}
      >
        {children}
      </select>
    )}
  </Frame>
);

/** Moves the focus to the first field of `form` that is marked as wrong; call it after the mistakes are on the page. */
export const focusFirstProblem = (form: HTMLFormElement | null): void => {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
};
