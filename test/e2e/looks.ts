const EVERY_LOOK = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 360 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 360 },
  // 1280 px at 400 %
  { theme: 'light', width: 320 },
] as const;

/** The themes and widths in which pages are looked at: each theme once, on a desk and on a phone; all of them in the long run. */
export const LOOKS = process.env['DOGEAR_TEST_LONG'] === '1' ? EVERY_LOOK : EVERY_LOOK.slice(0, 2);
