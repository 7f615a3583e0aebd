import { useState, type ChangeEvent } from 'react';
import { useForm, type Form, type FormSpec } from '#web/shell/forms/use-form.ts';

/** A form with what is in it now, for what hangs on it. */
export interface LiveForm<Name extends string> extends Form<Name> {
  readonly values: Record<Name, string>;
}

/** As `useForm`, and tells with every change what the form holds. */
export const useLiveForm = <Name extends string>(
  spec: FormSpec<Name>,
  before: Record<Name, string>,
): LiveForm<Name> => {
  const form = useForm(spec);
  const [values, setValues] = useState(before);
  const onChange = (event: ChangeEvent<HTMLFormElement>): void => {
    form.props.onChange?.(event);
    const data = new FormData(event.currentTarget);
    const entries = spec.names.map((name) => [name, String(data.get(name) ?? '')] as const);
    setValues(Object.fromEntries(entries) as Record<Name, string>);
  };
  return { ...form, props: { ...form.props, onChange }, values };
};
