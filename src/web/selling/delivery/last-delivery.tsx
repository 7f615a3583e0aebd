import { useState, type ComponentType } from 'react';
import { Link } from 'react-router';
import type { Answer } from '#contract/endpoint.ts';
import type { readCopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { deliveryProblems } from '#contract/delivery/delivery-rules.ts';
import { AS_ALL } from '#web/selling/listing-form.ts';
import { CheckField, type CheckFieldProps } from '#web/ui/check-field.tsx';
import { BuyerSees } from './buyer-sees.tsx';
import { previewOf, valuesOf } from './delivery-form.ts';

type Told = Answer<typeof readCopyDelivery>;

/** How the seller's last book is delivered, where that is not as all their books, and what shows it. */
export interface LastDelivery {
  readonly own: Told['own'];
  readonly Shown: ComponentType<Props>;
}

/** What the next book takes over: nothing where it fits no more what holds for all. */
export const lastDeliveryOf = ({ shop, own }: Told): LastDelivery | undefined => {
  const isFitting = Object.keys(deliveryProblems({ ...shop, ...own })).length === 0;
  if (!isFitting) return undefined;
  return { own, Shown: (props) => <DeliveredAsLast {...props} last={{ shop, own }} /> };
};

interface Props {
  /** Where the book is, as it was when the form began. */
  place: string;
  field: Pick<CheckFieldProps, 'name' | 'error'>;
  defaultChecked: boolean;
}

/** Says that a new book is delivered as the last one, and has a box to say otherwise. */
const DeliveredAsLast = ({ last: { shop, own }, place, field, defaultChecked }: Props & { last: Told }) => {
  const [isAsAll, setIsAsAll] = useState(defaultChecked);
  return (
    <section className="flex flex-col gap-2" aria-label="Delivery">
      <BuyerSees lines={previewOf(valuesOf(isAsAll ? shop : { ...shop, ...own }), place)} />
      <p className="text-sm text-muted">
        {isAsAll ? 'As ' : 'As your last book, which is not delivered as '}
        <Link to="/dashboard/delivery" className="text-link">
          all your books
        </Link>
        .
      </p>
      <CheckField
        {...field}
        value={AS_ALL}
        label="Deliver this one as all your books"
        defaultChecked={defaultChecked}
        onChange={(event) => setIsAsAll(event.target.checked)}
      />
    </section>
  );
};
