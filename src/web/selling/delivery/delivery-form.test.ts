import { describe, expect, it } from 'vitest';
import type { CopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { draftOf, exceptionOf, ownCountry, previewOf, shopDraftOf, valuesOf } from './delivery-form.ts';

const SHOP: CopyDelivery = {
  pickup: true,
  pickupPlace: '',
  post: true,
  first: 4,
  further: 1.5,
  freeFrom: null,
  countries: ['US', 'CA'],
  home: 'US',
  daysToPost: 3,
};

describe('the delivery form', () => {
  it('sends what it began with, however it is written', () => {
    const values = valuesOf(SHOP);
    expect(values).toMatchObject({ pickup: 'yes', first: '4.00', freeFrom: '', countries: 'US,CA', daysToPost: '3' });
    expect(shopDraftOf({ ...values, home: 'US' })).toEqual({ ...SHOP, first: '4.00', further: '1.50' });
    expect(draftOf({ ...values, first: ' $4,50 ', freeFrom: '30', pickup: '' })).toMatchObject({
      first: '4.50',
      freeFrom: '30',
      pickup: false,
    });
  });

  it('leaves amounts empty that nobody said', () => {
    expect(valuesOf({ ...SHOP, first: 0 }, false)).toMatchObject({ first: '', further: '' });
    expect(valuesOf({ ...SHOP, first: 0 }).first).toBe('0.00');
  });

  it('sends of one book only what is not as for all', () => {
    const values = valuesOf(SHOP);
    expect(exceptionOf({ ...values, first: '4', further: '1,5' }, SHOP)).toEqual({});
    expect(exceptionOf({ ...values, first: '12', freeFrom: '40', pickup: '' }, SHOP)).toEqual({
      pickup: false,
      first: '12',
      freeFrom: '40',
    });
    const never = exceptionOf({ ...values, freeFrom: '' }, { ...SHOP, freeFrom: 30 });
    expect(never).toEqual({ freeFrom: null });
  });

  it('shows what a buyer reads once nothing is wrong', () => {
    const values = valuesOf(SHOP);
    expect(previewOf(values, 'Salem, OR')[0]).toBe('Pickup in Salem, OR');
    expect(previewOf({ ...values, pickupPlace: 'The old mill' }, 'Salem, OR')[0]).toBe('Pickup in The old mill');
    expect(previewOf({ ...values, first: 'four' }, 'Salem, OR')).toEqual([]);
  });
});

describe('the own country', () => {
  it('is told by the browser’s languages, the first that has one', () => {
    expect(ownCountry(['de', 'de-AT', 'en-US'])).toBe('AT');
    expect(ownCountry(['en', '', 'no such'])).toBe('US');
    expect(ownCountry([])).toBe('US');
  });
});
