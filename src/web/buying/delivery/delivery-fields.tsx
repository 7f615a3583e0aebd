import type { ReactNode } from 'react';
import { countryName } from '#contract/delivery/countries.ts';
import type { DeliveryKind } from '#contract/delivery/delivery.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { daysInWords, fieldNamesIn, isNeeded, sumOf, type Book } from './parcel.ts';
import type { Delivery } from './use-delivery.ts';

export const postageInWords = (cents: number): string => (cents === 0 ? 'free' : formatDollars(dollarsOf(cents)));

interface CardProps {
  title: string;
  way: DeliveryKind;
  delivery: Delivery;
  children: ReactNode;
}

/** One of two ways, as large as a finger and more. */
const WayCard = ({ title, way, delivery, children }: CardProps) => (
  <label className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr] gap-x-3 rounded-field border border-base-content/30 px-4 py-3 has-checked:border-primary has-checked:inset-ring has-checked:inset-ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
    <input
      type="radio"
      name="delivery"
      value={way}
      className="mt-0.5 size-5 accent-primary outline-none"
      checked={delivery.way === way}
      onChange={() => delivery.choose(way)}
    />
    <span className="font-semibold">{title}</span>
    <span dir="auto" className="col-start-2 min-w-0 text-sm break-words text-muted">
      {children}
    </span>
  </label>
);

interface Props {
  delivery: Delivery;
  /** The one of the page first. */
  books: readonly [Book, ...Book[]];
}

/** How the book comes to its buyer: a choice where its seller offers one, else a line that says it. */
export const DeliveryChoice = ({ delivery, books }: Props) => {
  const { pickupPlace } = books[0].delivery;
  const { ways, way, address } = delivery;
  const { postageCents, daysToPost } = sumOf(books, 'post', address.country);
  const posted = `${daysInWords(daysToPost)}, ${postageInWords(postageCents)}`;
  if (ways.length === 1) {
    return (
      <p dir="auto" className="font-semibold break-words">
        {way === 'post' ? `Posted ${posted}` : pickupPlace === '' ? 'Pickup' : `Pickup in ${pickupPlace}`}
      </p>
    );
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">How do you want to get it?</legend>
      <WayCard title="Pickup" way="pickup" delivery={delivery}>
        {pickupPlace === '' ? 'Free' : `In ${pickupPlace}, free`}
      </WayCard>
      <WayCard title="By post" way="post" delivery={delivery}>
        Posted {posted}
      </WayCard>
    </fieldset>
  );
};

/** Where the parcel goes. */
export const AddressFields = ({ delivery }: { delivery: Delivery }) => {
  const { address, set, problems, countries } = delivery;
  const names = fieldNamesIn(address.country);
  const field = (name: keyof typeof address, token: string) => ({
    name,
    autoComplete: `shipping ${token}`,
    value: address[name],
    error: problems[name],
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  });
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 text-sm text-muted">Where does it go? The seller sees it once you have paid.</legend>
      <Field label="Name" maxLength={100} {...field('name', 'name')} />
      <Field label="Address line 1" maxLength={100} {...field('line1', 'address-line1')} />
      <Field label="Address line 2" optional maxLength={100} {...field('line2', 'address-line2')} />
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-6">
        <Field
          label="City"
          className="col-span-2 sm:col-span-6 lg:col-span-2"
          maxLength={80}
          {...field('city', 'address-level2')}
        />
        <Field
          label={names.state}
          className="sm:col-span-3 lg:col-span-2"
          optional={!isNeeded('state', address.country)}
          maxLength={80}
          {...field('state', 'address-level1')}
        />
        <Field
          label={names.postcode}
          className="sm:col-span-3 lg:col-span-2"
          optional={!isNeeded('postcode', address.country)}
          maxLength={16}
          {...field('postcode', 'postal-code')}
        />
      </div>
      <Select label="Country" {...field('country', 'country')}>
        {countries.map((code) => (
          <option key={code} value={code}>
            {countryName(code)}
          </option>
        ))}
      </Select>
      <CheckField
        label="Keep this address for next time"
        hint="In this browser only, until you sign out."
        checked={delivery.isKept}
        onChange={({ target }) => delivery.keep(target.checked)}
      />
    </fieldset>
  );
};
