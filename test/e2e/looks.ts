const EVERY_LOOK = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 360 },
  // 1280 px at 400 %
  { theme: 'light', width: 320 },
] as const;

/**
 * The themes and widths in which pages are looked at: all of them in the long run, a phone in the dark in the short
 * one.
 */
const looks = (): readonly (typeof EVERY_LOOK)[number][] => {
  if (process.env['DOGEAR_TEST_LONG'] === '1') return EVERY_LOOK;
  return process.env['DOGEAR_TEST_SHORT'] === '1' ? EVERY_LOOK.slice(1, 2) : EVERY_LOOK.slice(0, 2);
};

export const LOOKS = looks();
