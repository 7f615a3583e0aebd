import { useState } from 'react';
import { addressProblems, type Address } from '#contract/delivery/address.ts';
import { firstCountry, type DeliveryKind } from '#contract/delivery/delivery.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { forgetAddress, keepAddress, keptAddress } from '#web/api/kept-address.ts';
import { waysOf, type Book } from './parcel.ts';

/** How a book is to come to its buyer, as far as they have said. */
export interface Delivery {
  readonly ways: readonly [DeliveryKind, ...DeliveryKind[]];
  readonly way: DeliveryKind;
  readonly choose: (way: DeliveryKind) => void;
  readonly countries: readonly string[];
  readonly address: Address;
  readonly set: (field: keyof Address, value: string) => void;
  readonly problems: FieldErrors;
  readonly isKept: boolean;
  readonly keep: (isKept: boolean) => void;
  /** Whether the address can be sent; says beside the fields what is wrong with it. */
  readonly check: () => boolean;
  /** Says beside the fields what the shop found; false where it names none of them. */
  readonly show: (fields: FieldErrors) => boolean;
  /** It was paid: keeps the address for next time, or forgets it, as was wished. */
  readonly settle: () => void;
}

interface Buyer {
  readonly id: string;
  readonly name: string;
}

const emptyAddress = (name: string): Address => ({
  name,
  line1: '',
  line2: '',
  city: '',
  state: '',
  postcode: '',
  country: '',
});

export const useDelivery = ({ delivery: terms }: Book, buyer: Buyer): Delivery => {
  const [kept] = useState(() => keptAddress(buyer.id));
  const [chosen, choose] = useState<DeliveryKind>();
  const [typed, setTyped] = useState<Address>(kept ?? emptyAddress(buyer.name));
  const [isKept, keep] = useState(kept !== undefined);
  const [problems, setProblems] = useState<FieldErrors>({});
  const [isChecked, setChecked] = useState(false);

  const { countries } = terms;
  const ways = waysOf(terms);
  const way = chosen !== undefined && ways.includes(chosen) ? chosen : ways[0];
  const withCountry = (address: Address): Address =>
    countries.includes(address.country) ? address : { ...address, country: firstCountry(terms) };
  const address = withCountry(typed);

  const set = (field: keyof Address, value: string): void => {
    const next = withCountry({ ...address, [field]: value });
    setTyped(next);
    // In another country other rules hold; a mistake that was shown goes as soon as it is mended.
    const found = isChecked ? addressProblems(next) : {};
    setProblems((old) => {
      const names = field === 'country' ? Object.keys(old) : Object.keys(old).filter((name) => name === field);
      const still = names.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]] as const]));
      const others = Object.entries(old).filter(([name]) => !names.includes(name));
      return Object.fromEntries([...others, ...still]);
    });
  };
  const check = (): boolean => {
    const found = way === 'post' ? addressProblems(address) : {};
    setChecked(true);
    setProblems(found);
    return Object.keys(found).length === 0;
  };
  const show = (fields: FieldErrors): boolean => {
    const ours = Object.entries(fields).filter(([name]) => way === 'post' && name in address);
    if (ours.length === 0) return false;
    setChecked(true);
    setProblems(Object.fromEntries(ours));
    return true;
  };
  const settle = (): void => {
    if (way !== 'post') return;
    if (isKept) keepAddress(buyer.id, address);
    else forgetAddress();
  };
  return { ways, way, choose, countries, address, set, problems, isKept, keep, check, show, settle };
};
