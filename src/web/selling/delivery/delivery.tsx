import { useState } from 'react';
import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { readDelivery, saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { deliveryProblems } from '#contract/delivery/delivery-rules.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { BuyerSees } from './buyer-sees.tsx';
import { DeliveryFields, HomeField } from './delivery-fields.tsx';
import { ownCountry, previewOf, SHOP_FIELDS, shopDraftOf, valuesOf, type ShopValues } from './delivery-form.ts';
import { useLiveForm } from './use-live-form.ts';

export const meta: MetaFunction = () => pageMeta('Delivery');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api) => ({ delivery: await api.call(readDelivery, {}) }), 'seller');

/** Each book says where it is. */
const PLACE = 'the book’s location';

const Delivery = () => {
  const { delivery } = useLoaderData<typeof clientLoader>();
  // What the form began with: settings that are read again must not change what is being typed.
  const [before] = useState<ShopValues>(() => {
    const values = valuesOf(delivery, delivery.said);
    const home = ownCountry(navigator.languages);
    return delivery.said ? { ...values, home: delivery.home } : { ...values, countries: home, home };
  });
  const form = useLiveForm(
    {
      names: SHOP_FIELDS,
      check: (values) => deliveryProblems(shopDraftOf(values)),
      send: async (values) => {
        await call(saveDelivery, { body: shopDraftOf(values) });
        toast('Delivery saved', { text: 'It stands on the page of each of your books.' });
      },
    },
    before,
  );
  return (
    <>
      <PageHeading title="Delivery">How your books come to their buyers.</PageHeading>
      {!delivery.said && (
        <div className="mb-6">
          <Notice title="Nothing said yet">Until you save this, buyers can only pick your books up.</Notice>
        </div>
      )}
      <section className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <form {...form.props} className="flex flex-col gap-5" aria-label="Delivery">
          <DeliveryFields
            field={form.field}
            before={before}
            values={form.values}
            place="Each book’s location"
            from={<HomeField {...form.field('home')} defaultValue={before.home} />}
          />
          <BuyerSees lines={previewOf(form.values, PLACE)} />
          {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
          <Button {...form.button} className="self-start">
            {form.button.busy ? 'Saving…' : 'Save delivery'}
          </Button>
        </form>
      </section>
      <p className="mt-4 text-sm text-muted">
        A book that is heavy, fragile or dear can have its own: choose Edit in{' '}
        <Link to="/dashboard/my_products" className="text-link">
          My Products
        </Link>{' '}
        and look under “Delivery of this book”.
      </p>
    </>
  );
};
export default Delivery;
