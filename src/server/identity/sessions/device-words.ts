/** The first that fits wins: most browsers claim to be several others, the rarer name comes first. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chromium', /\bChromium\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

const ON_ITS_OWN = new Set(['iPad', 'iPhone']);

const found = (names: typeof BROWSERS, userAgent: string): string | undefined =>
  names.find(([, mark]) => mark.test(userAgent))?.[0];

/** A User-Agent header in plain words: "Firefox on Linux", "Safari on an iPhone". What it does not say is left out. */
export const deviceWords = (userAgent: string): string => {
  const browser = found(BROWSERS, userAgent);
  const system = found(SYSTEMS, userAgent);
  const place = system !== undefined && ON_ITS_OWN.has(system) ? `an ${system}` : system;
  if (browser === undefined && place === undefined) return 'An unknown device';
  if (place === undefined) return browser ?? '';
  return `${browser ?? 'A browser'} on ${place}`;
};
