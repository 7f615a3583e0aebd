import { countryName } from '#contract/delivery/countries.ts';
import type { Imprint } from '#contract/law/imprint.ts';

const Fact = ({ label, value }: { label: string; value: string }) =>
  value === '' ? null : (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd dir="auto" className="break-words whitespace-pre-line">
        {value}
      </dd>
    </div>
  );

/** Who a business is, as the law has it show. */
export const ImprintFacts = ({ imprint }: { imprint: Imprint }) => (
  <dl className="flex flex-col gap-2">
    <Fact label="Business" value={imprint.business} />
    <Fact label="Address" value={`${imprint.address}\n${countryName(imprint.country)}`} />
    <Fact label="Email" value={imprint.email} />
    <Fact label="Phone" value={imprint.phone} />
    <Fact label="Register" value={imprint.register} />
    <Fact label="VAT number" value={imprint.taxNumber} />
  </dl>
);
