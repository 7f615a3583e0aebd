import { useId, type ComponentProps, type ReactNode } from 'react';

export interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type' | 'className'> {
  label: string;
  hint?: ReactNode;
  /** What is wrong, shown below and read with it. */
  error?: string | undefined;
}

/** A box to tick, with its rule and its mistake; its value is `yes`. */
export const CheckField = ({ label, hint, error, ...input }: CheckFieldProps) => {
  const id = useId();
  const described = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col">
      <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
        <input
          type="checkbox"
          value="yes"
          {...input}
          className="size-5 shrink-0 accent-primary"
          aria-invalid={error ? true : undefined}
          aria-describedby={described === '' ? undefined : described}
        />
        {label}
      </label>
      {error && (
        <p id={`${id}-error`} className="pl-8 text-sm text-error" data-field-error>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="pl-8 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
};
