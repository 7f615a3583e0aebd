import type { ComponentProps, MouseEvent } from 'react';
import { classes } from './classes.ts';

export type ButtonLook = 'primary' | 'soft' | 'secondary' | 'quiet' | 'danger' | 'quiet-danger';
export type ButtonSize = 'md' | 'sm';

const LOOKS: Record<ButtonLook, string> = {
  primary: 'btn-primary',
  soft: 'btn-soft btn-primary',
  secondary: 'btn-outline border-base-content/30',
  quiet: 'btn-ghost',
  danger: 'btn-outline btn-error',
  // In every row of a list: red only for whoever comes near.
  'quiet-danger': 'btn-ghost destructive',
};

/** The classes of a button, for a link that looks like one. Main actions are 44 px high, small ones 36 px. */
export const buttonClass = (look: ButtonLook = 'primary', size: ButtonSize = 'md', more?: string): string =>
  classes('btn', LOOKS[look], size === 'md' ? 'min-h-11' : 'btn-sm min-h-9 text-sm', more);

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: ButtonSize;
  /** Shows that the work is under way and takes no further click, without losing the focus. */
  busy?: boolean;
}

/** A button that says what it does. `type` is `button` unless given. */
export const Button = ({ look, size, busy = false, className, onClick, children, ...rest }: ButtonProps) => {
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, size, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={click}
    >
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {children}
    </button>
  );
};
