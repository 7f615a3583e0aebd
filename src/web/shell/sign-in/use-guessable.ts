import { useState } from 'react';

const WARNING =
  'Many people have a password like this one, so it is tried first. It works, but an unusual one keeps your account safer.';

interface Guessable {
  /** What to say beside the field; empty while there is nothing to say. */
  readonly text: string;
  /** Looks at the password in `field`, beside the name and address in the same form. */
  readonly check: (field: HTMLInputElement) => void;
}

const valueOf = (form: HTMLFormElement | null, name: string): string => {
  const value = form === null ? undefined : new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
};

/**
 * Warns of a password that is easy to guess. The words it is compared with are fetched when somebody begins to type
 * one.
 */
export const useGuessable = (): Guessable => {
  const [text, setText] = useState('');
  const look = async (field: HTMLInputElement): Promise<void> => {
    const { isGuessablePassword } = await import('#contract/users/guessable-password.ts');
    const owner = { name: valueOf(field.form, 'name'), email: valueOf(field.form, 'email') };
    // What the field holds now: typing went on while the words were on their way.
    setText(isGuessablePassword(field.value, owner) ? WARNING : '');
  };
  return {
    text,
    // Without the words there is no warning; the account can be made all the same.
    check: (field) => void look(field).catch(() => undefined),
  };
};
