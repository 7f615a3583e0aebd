import { useState } from 'react';
import { editContact, type Booking } from '#contract/bookings/bookings.ts';
import { call } from '#web/api/call.ts';
import { Field } from '#web/ui/field.tsx';

/** How the seller will reach the buyer, where the booking does not say. */
export interface Contact {
  /** Undefined where the booking says it already. */
  readonly fields: { phone: string; location: string; problem: string | undefined } | undefined;
  readonly set: (field: 'phone' | 'location', value: string) => void;
  /** Writes down what was typed; false, having said so beside the field, when nothing was. */
  readonly save: () => Promise<boolean>;
}

const NEEDED = 'Please give a phone number or a place, so that the seller can reach you';

export const useContact = ({ _id: id, phone, location }: Booking): Contact => {
  const [isMissing] = useState(phone === '' && location === '');
  const [typed, setTyped] = useState({ phone, location });
  const [problem, setProblem] = useState<string>();
  const save = async (): Promise<boolean> => {
    if (!isMissing) return true;
    const said = { phone: typed.phone.trim(), location: typed.location.trim() };
    const isSaid = said.phone !== '' || said.location !== '';
    setProblem(isSaid ? undefined : NEEDED);
    if (isSaid) await call(editContact, { params: { id }, body: said });
    return isSaid;
  };
  const set = (field: 'phone' | 'location', value: string): void => setTyped((old) => ({ ...old, [field]: value }));
  return { fields: isMissing ? { ...typed, problem } : undefined, set, save };
};

/**
 * Asked before Pay, when the booking has neither: a book that is paid for has to find its way. One of the two is
 * enough.
 */
export const ContactFields = ({ seller, contact: { fields, set } }: { seller: string; contact: Contact }) =>
  fields && (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 text-sm text-muted">
        How can {seller} reach you to hand over the book? One of the two is enough. {seller} sees it once you have paid.
      </legend>
      <Field
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={200}
        value={fields.phone}
        error={fields.problem}
        onChange={(event) => set('phone', event.target.value)}
        data-contact=""
      />
      <Field
        label="Place"
        autoComplete="address-level2"
        maxLength={200}
        hint="Where you would like to meet"
        value={fields.location}
        onChange={(event) => set('location', event.target.value)}
      />
    </fieldset>
  );
