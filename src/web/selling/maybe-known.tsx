import { useState } from 'react';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, type FieldProps } from '#web/ui/field.tsx';
import { NOT_KNOWN } from './listing-form.ts';

interface Props extends FieldProps {
  /** The box that says that nobody knows: its name, and whether it begins ticked. */
  box: { name: string; label: string; defaultChecked: boolean };
}

/** A field that has to be filled in, or said not to be known. */
export const MaybeKnown = ({ box, ...field }: Props) => {
  const [isUnknown, setIsUnknown] = useState(box.defaultChecked);
  return (
    <div className="flex flex-col">
      <Field {...field} disabled={isUnknown} required={!isUnknown} />
      <CheckField
        name={box.name}
        value={NOT_KNOWN}
        label={box.label}
        defaultChecked={box.defaultChecked}
        onChange={(event) => setIsUnknown(event.target.checked)}
      />
    </div>
  );
};
