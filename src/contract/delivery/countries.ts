/** The countries and territories of ISO 3166-1, by their two letters, and Kosovo, which posts use as XK. */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA ' +
  'CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA ' +
  'GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS ' +
  'MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS ' +
  'RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW ' +
  'TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

export const COUNTRIES: readonly string[] = CODES.split(' ');

const known: ReadonlySet<string> = new Set(COUNTRIES);

/** Whether these are a country's two letters, in capitals. */
export const isCountry = (code: string): boolean => known.has(code);

let names: Intl.DisplayNames | undefined;

/**
 * A country's name in English: `France`. Where names differ between versions of the list, so do those of server and
 * browser: what is rendered by both takes them from an answer.
 */
export const countryName = (code: string): string => {
  if (!isCountry(code)) return code;
  names ??= new Intl.DisplayNames('en-US', { type: 'region', fallback: 'code' });
  return names.of(code) ?? code;
};

/** Countries whose names have an article within a sentence. */
const WITH_ARTICLE: ReadonlySet<string> = new Set(
  'AE AX BS CC CF CK DO FK FO GB GM IM IO KY MH MP MV NL PH PS SB TC TF UM US VG VI'.split(' '),
);

/** A country's name within a sentence: `the United States`, `France`. */
export const countryInSentence = (code: string): string =>
  `${WITH_ARTICLE.has(code) ? 'the ' : ''}${countryName(code)}`;

/** All countries with their names, by those. */
export const countriesByName = (): (readonly [code: string, name: string])[] =>
  COUNTRIES.map((code) => [code, countryName(code)] as const).toSorted(([, a], [, b]) => a.localeCompare(b));
