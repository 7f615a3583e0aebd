import { grouped } from '#contract/count.ts';

/** Lowest and highest price of a copy, in cents: what a card payment can sensibly carry. */
export const MIN_PRICE_CENTS = 50;
export const MAX_PRICE_CENTS = 9_999_999;

const decimal = /^\d{1,7}(\.\d{1,2})?$/;

/**
 * Cents of a price given in dollars, or undefined when it is not one.
 * Accepts numbers and decimal strings with at most two decimals; refuses signs, exponents, NaN and anything trailing.
 */
export const parseCents = (dollars: number | string): number | undefined => {
  const text = typeof dollars === 'number' ? String(dollars) : dollars.trim();
  if (!decimal.test(text)) return undefined;
  const [whole = '0', fraction = ''] = text.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
};

/** Dollars as sent on the wire for an amount in cents. */
export const dollarsOf = (cents: number): number => cents / 100;

/**
 * An amount as users read it, always to the cent: `$8.00`, `$1,234.50`; with a minus sign before the dollar sign below
 * zero.
 */
export const formatDollars = (dollars: number): string => {
  const [whole = '', cents = ''] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '−' : ''}$${grouped(whole)}.${cents}`;
};
