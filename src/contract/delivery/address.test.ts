import { describe, expect, it } from 'vitest';
import { addressLines, addressProblems, tidyAddress, type Address } from './address.ts';

const PORTLAND: Address = {
  name: 'Ann Reed',
  line1: '12 Oak Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};
const at = (changes: Partial<Address>): Address => ({ ...PORTLAND, ...changes });

describe('an address', () => {
  it('is right as it is written in its country', () => {
    const right: Partial<Address>[] = [
      {},
      { state: 'oregon', postcode: '97201-1234', line2: 'Apt 4' },
      { country: 'CA', state: 'ON', city: 'Ottawa', postcode: 'k1a0b1' },
      { country: 'GB', state: '', city: 'London', postcode: 'sw1a 1aa' },
      { country: 'GB', state: '', city: 'Glasgow', postcode: 'G1 1AA' },
      { country: 'DE', state: '', city: 'Berlin', postcode: '10115' },
      { country: 'AU', state: 'New South Wales', city: 'Sydney', postcode: '2000' },
      { country: 'IE', state: '', city: 'Dublin', postcode: '' },
      { country: 'JP', state: '東京都', city: '千代田区', postcode: '100-0001' },
    ];
    for (const changes of right) expect(addressProblems(at(changes)), JSON.stringify(changes)).toEqual({});
  });

  it('says field by field what is missing', () => {
    expect(addressProblems(at({ name: ' ', line1: '\u200b', city: '', state: '', postcode: '' }))).toEqual({
      name: 'Give the name on the letterbox',
      line1: 'Give street and number, or a P.O. box',
      city: 'Give the city',
      state: 'Give the state, for example OR or Oregon',
      postcode: 'Give the ZIP code: 5 digits, for example 97201',
    });
    expect(addressProblems(at({ country: 'ZZ' }))).toEqual({ country: 'Choose a country' });
  });

  it('says what a state and a postcode look like there', () => {
    const wrong: [Partial<Address>, Record<string, string>][] = [
      [{ postcode: '9720' }, { postcode: 'Give the ZIP code: 5 digits, for example 97201' }],
      [{ state: 'Ontario' }, { state: 'Give the state, for example OR or Oregon' }],
      [{ country: 'CA', postcode: 'K1A 0B1' }, { state: 'Give the province, for example ON or Ontario' }],
      [{ country: 'CA', state: 'ON', postcode: 'D1A 0B1' }, { postcode: 'Give the postal code, for example K1A 0B1' }],
      [{ country: 'GB', state: '', postcode: '12345' }, { postcode: 'Give the postcode, for example SW1A 1AA' }],
      [{ country: 'DE', postcode: '1011' }, { postcode: 'Give the postcode: 5 digits, for example 10115' }],
      [{ country: 'AU', state: 'XX', postcode: '2000' }, { state: 'Give the state, for example NSW' }],
    ];
    for (const [changes, problems] of wrong) expect(addressProblems(at(changes))).toEqual(problems);
  });

  it('fits on a label', () => {
    const long = 'x'.repeat(101);
    expect(addressProblems(at({ line2: long, country: 'FR', state: '', postcode: '1'.repeat(17) }))).toEqual({
      line2: 'At most 100 characters',
      postcode: 'At most 16 characters',
    });
  });

  it('is kept in one way, however it was typed', () => {
    const typed = at({ name: '  Ann\n Reed ', state: 'd.c.', postcode: ' 20500 1234', city: 'Washington' });
    expect(tidyAddress(typed)).toMatchObject({ name: 'Ann Reed', state: 'DC', postcode: '20500-1234' });
    expect(tidyAddress(at({ country: 'CA', state: 'quebec', postcode: 'h2y1c6' }))).toMatchObject({
      state: 'QC',
      postcode: 'H2Y 1C6',
    });
    expect(tidyAddress(at({ country: 'GB', state: 'Kent', postcode: 'ct12ef' }))).toMatchObject({
      state: 'Kent',
      postcode: 'CT1 2EF',
    });
    for (const address of [PORTLAND, at({ postcode: '97201-1234' })]) {
      expect(tidyAddress(tidyAddress(address))).toEqual(tidyAddress(address));
    }
  });
});

describe('the lines of an address', () => {
  it('are those that its country’s post wants', () => {
    expect(addressLines(at({ line2: 'Apt 4' }))).toEqual([
      'Ann Reed',
      '12 Oak Street',
      'Apt 4',
      'Portland, OR 97201',
      'UNITED STATES',
    ]);
    const place = (changes: Partial<Address>) => addressLines(at(changes)).slice(2);
    expect(place({ country: 'CA', state: 'ON', city: 'Ottawa', postcode: 'K1A 0B1' })).toEqual([
      'Ottawa ON  K1A 0B1',
      'CANADA',
    ]);
    expect(place({ country: 'GB', state: '', city: 'London', postcode: 'SW1A 1AA' })).toEqual([
      'LONDON',
      'SW1A 1AA',
      'UNITED KINGDOM',
    ]);
    expect(place({ country: 'DE', state: '', city: 'Berlin', postcode: '10115' })).toEqual(['10115 Berlin', 'GERMANY']);
    expect(place({ country: 'AU', state: 'NSW', city: 'Sydney', postcode: '2000' })).toEqual([
      'SYDNEY NSW 2000',
      'AUSTRALIA',
    ]);
    expect(place({ country: 'IE', state: 'Co. Cork', city: 'Cobh', postcode: '' })).toEqual([
      'Cobh',
      'Co. Cork',
      'IRELAND',
    ]);
  });
});
