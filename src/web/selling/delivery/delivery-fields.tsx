import type { ComponentProps, ReactNode } from 'react';
import { COUNTRIES, countryName } from '#contract/delivery/countries.ts';
import { MAX_DAYS_TO_POST } from '#contract/delivery/delivery.ts';
import type { Form } from '#web/shell/forms/use-form.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { CountryPicker } from './country-picker.tsx';
import type { DeliveryValues } from './delivery-form.ts';

interface Props {
  field: Form<keyof DeliveryValues>['field'];
  /** What the form began with. */
  before: DeliveryValues;
  /** What is in it now. */
  values: DeliveryValues;
  /** Where a book is that no other place is said for. */
  place: string;
  /** Asks where it is posted from, where that is said. */
  from?: ReactNode;
}

const DAYS = Array.from({ length: MAX_DAYS_TO_POST }, (_, at) => at + 1);

/** What is only asked while its box is ticked; what was typed stays meanwhile. */
const While = ({ ticked, children }: { ticked: boolean; children: ReactNode }) => (
  <div hidden={!ticked} className={ticked ? 'flex flex-col gap-5 border-l-2 border-base-300 pl-4 sm:pl-5' : ''}>
    {children}
  </div>
);

/** Which country a seller posts from. */
export const HomeField = (field: Omit<ComponentProps<typeof Select>, 'label' | 'children'>) => (
  <Select {...field} label="Your country" hint="Parcels to another one are given more time" className="sm:max-w-md">
    {COUNTRIES.map((code) => [code, countryName(code)] as const)
      .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
      .map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
  </Select>
);

/** How books, or one of them, come to their buyers. */
export const DeliveryFields = ({ field, before, values, place, from }: Props) => {
  const typed = (name: keyof DeliveryValues) => ({ ...field(name), defaultValue: before[name] });
  const ticked = (name: 'pickup' | 'post') => ({ ...field(name), defaultChecked: before[name] !== '' });
  return (
    <>
      <CheckField {...ticked('pickup')} label="Buyers can pick it up" hint="You agree on a time when it is paid." />
      <While ticked={values.pickup !== ''}>
        <Field
          {...typed('pickupPlace')}
          label="Pickup place"
          optional
          maxLength={200}
          autoComplete="off"
          placeholder={place}
          hint="Such as Portland, OR, 12 Oak Street; everybody sees it. Left empty, it is the book’s location."
        />
      </While>
      <CheckField {...ticked('post')} label="You post it" hint="The buyer pays the postage with the book." />
      <While ticked={values.post !== ''}>
        <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
          <Field
            {...typed('first')}
            label="Postage of the first book"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            hint="In dollars, 0 for nothing"
          />
          <Field
            {...typed('further')}
            label="Each further book"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            hint="In the same parcel"
          />
          <Field
            {...typed('freeFrom')}
            label="Free from"
            optional
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            hint="When a parcel’s books cost that much"
          />
        </div>
        {from}
        <CountryPicker {...field('countries')} before={before.countries} />
      </While>
      <Select
        {...typed('daysToPost')}
        label="Posted or ready to pick up within"
        hint="Buyers are promised this. Monday to Friday count."
        className="sm:max-w-md"
      >
        {DAYS.map((days) => (
          <option key={days} value={days}>
            {days === 1 ? '1 working day' : `${days} working days`}
          </option>
        ))}
      </Select>
    </>
  );
};
