import { useState } from 'react';
import { Field, type FieldProps } from '#web/ui/field.tsx';

type Props = Omit<FieldProps, 'label' | 'type' | 'beside'> & {
  label?: string;
  autoComplete: 'current-password' | 'new-password';
};

/** The password field, hidden until its SHOW is pressed. */
export const PasswordField = ({ label = 'Password', ...props }: Props) => {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      label={label}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      beside={
        <button
          type="button"
          className="-my-2.5 -mr-2 min-h-11 px-2 text-sm font-semibold tracking-wide text-primary"
          onClick={() => setShown(!shown)}
        >
          {shown ? 'HIDE' : 'SHOW'}
          <span className="sr-only"> {label.toLowerCase()}</span>
        </button>
      }
    />
  );
};
