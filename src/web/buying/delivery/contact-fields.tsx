import { useState } from 'react';
import { editContact, type Booking } from '#contract/bookings/bookings.ts';
import { call } from '#web/api/call.ts';
import { Field } from '#web/ui/field.tsx';

/** How the seller will reach the buyer, where the booking does not say. */
export interface Contact {
  /** Undefined where the booking says it already. */
  readonly fields: { phone: string; location: string; problem: string | undefined } | undefined;
  readonly set: (field: 'phone' | 'location', value: string) => void;
  /** Whether something was typed where it is needed; says so beside the field when nothing was. */
  readonly check: () => boolean;
  /** Writes down what was typed. */
  readonly save: () => Promise<void>;
}

const NEEDED = 'Please give a phone number or a place, so that the seller can reach you';

export const useContact = ({ _id: id, phone, location }: Booking): Contact => {
  const [isMissing] = useState(phone === '' && location === '');
  const [typed, setTyped] = useState({ phone, location });
  const [problem, setProblem] = useState<string>();
  const said = { phone: typed.phone.trim(), location: typed.location.trim() };
  const check = (): boolean => {
    const isSaid = !isMissing || said.phone !== '' || said.location !== '';
    setProblem(isSaid ? undefined : NEEDED);
    return isSaid;
  };
  const save = async (): Promise<void> => {
    if (isMissing) await call(editContact, { params: { id }, body: said });
  };
  const set = (field: 'phone' | 'location', value: string): void => setTyped((old) => ({ ...old, [field]: value }));
  return { fields: isMissing ? { ...typed, problem } : undefined, set, check, save };
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
