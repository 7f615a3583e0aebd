import { useState } from 'react';
import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { Answer } from '#contract/endpoint.ts';
import { readCopyDelivery, saveCopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { deliveryProblems } from '#contract/delivery/delivery-rules.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Notice, SkeletonRows } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { BuyerSees } from './buyer-sees.tsx';
import { DeliveryFields } from './delivery-fields.tsx';
import { DELIVERY_FIELDS, draftOf, exceptionOf, previewOf, valuesOf } from './delivery-form.ts';
import { useLiveForm } from './use-live-form.ts';

type Told = Answer<typeof readCopyDelivery>;

const NAMES = ['own', ...DELIVERY_FIELDS] as const;

const CopyDeliveryForm = ({ listing, told }: { listing: Listing; told: Told }) => {
  const { shop, own } = told;
  const [before] = useState(() => ({
    ...valuesOf({ ...shop, ...own }),
    own: Object.keys(own).length > 0 ? 'yes' : '',
  }));
  const form = useLiveForm(
    {
      names: NAMES,
      check: (values) => (values.own === '' ? {} : deliveryProblems(draftOf(values))),
      send: async (values) => {
        const body = values.own === '' ? {} : exceptionOf(values, shop);
        await call(saveCopyDelivery, { params: { id: listing._id }, body });
        const words = Object.keys(body).length > 0 ? 'delivered in its own way' : 'delivered like all your books';
        toast('Delivery saved', { text: `${listing.title} is ${words}.` });
      },
    },
    before,
  );
  const { values } = form;
  const isOwn = values.own !== '';
  return (
    <form {...form.props} className="mt-4 flex flex-col gap-5" aria-label="Delivery of this book">
      <CheckField
        {...form.field('own')}
        label="This book is delivered differently"
        defaultChecked={before.own !== ''}
      />
      <div hidden={!isOwn} className={isOwn ? 'flex flex-col gap-5' : ''}>
        <DeliveryFields field={form.field} before={before} values={values} place={listing.location} />
      </div>
      <BuyerSees lines={previewOf(isOwn ? values : valuesOf(shop), listing.location)} />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} className="self-start">
        {form.button.busy ? 'Saving…' : 'Save delivery of this book'}
      </Button>
    </form>
  );
};

/** What is different about the delivery of one book; asked for when somebody opens it, as hardly anybody does. */
export const CopyDelivery = ({ listing }: { listing: Listing }) => {
  const [told, setTold] = useState<Told>();
  const [failure, setFailure] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const load = (): void => {
    setFailure(undefined);
    call(readCopyDelivery, { params: { id: listing._id } }).then(setTold, (error: unknown) =>
      setFailure(messageOf(error)),
    );
  };
  const open = (): void => {
    setIsOpen(true);
    if (!isOpen) load();
  };
  return (
    <details
      className="mt-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7"
      onToggle={(event) => {
        if (event.currentTarget.open) open();
      }}
    >
      <summary className="cursor-pointer font-serif text-xl font-semibold">Delivery of this book</summary>
      <p className="mt-2 text-sm text-muted">
        As for{' '}
        <Link to="/dashboard/delivery" className="text-link">
          all your books
        </Link>
        , unless you say otherwise here.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <Notice
            tone="error"
            action={
              <Button look="secondary" size="sm" onClick={load}>
                Try again
              </Button>
            }
          >
            {failure}
          </Notice>
        </div>
      )}
      {isOpen && failure === undefined && told === undefined && (
        <div className="mt-4">
          <SkeletonRows rows={2} label="Loading the delivery of this book" />
        </div>
      )}
      {told !== undefined && <CopyDeliveryForm listing={listing} told={told} />}
    </details>
  );
};
