import type { StripeCardElementOptions } from '@stripe/stripe-js';

/** A phone zooms in on fields with smaller text than this. */
const FONT_SIZE = '16px';

/**
 * The looks of the card element in the theme on show. The provider draws it in a frame of its own, out of reach of our
 * stylesheet, so the theme's colours are read from the page and handed over.
 */
export const cardStyle = (): NonNullable<StripeCardElementOptions['style']> => {
  const page = getComputedStyle(document.documentElement);
  const colour = (name: string): string => page.getPropertyValue(name).trim();
  return {
    base: {
      color: colour('--color-base-content'),
      iconColor: colour('--muted'),
      fontSize: FONT_SIZE,
      '::placeholder': { color: colour('--muted') },
    },
    invalid: { color: colour('--color-error'), iconColor: colour('--color-error') },
  };
};
