/** A theme and a width in which a screen is looked at. */
export interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: 360 | 1280;
}

export const LOOKS: readonly Look[] = [
  { theme: 'light', width: 360 },
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 360 },
  { theme: 'dark', width: 1280 },
];

/** How high a window is. */
export const HEIGHTS = { 360: 780, 1280: 900 } as const;
