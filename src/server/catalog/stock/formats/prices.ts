import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';

/** What separates cents in a column of prices. */
export type DecimalMark = '.' | ',';

/** What the prices of a column have shown of it. */
export interface PriceSigns {
  points: number;
  commas: number;
  /** `1,250` alone: a thousand and more, or one and a quarter. */
  unclear: number;
}

export const noSigns = (): PriceSigns => ({ points: 0, commas: 0, unclear: 0 });

/** Notes what a price shows of the mark of its column. */
export const notePrice = (signs: PriceSigns, text: string): void => {
  const bare = text.replace(/[^\d.,]/g, '');
  const last = /[.,](?=[^.,]*$)/.exec(bare);
  if (last === null) return;
  const after = bare.length - last.index - 1;
  const others = bare.slice(0, last.index).includes(last[0] === '.' ? ',' : '.');
  if (after <= 2 || others) signs[last[0] === '.' ? 'points' : 'commas'] += 1;
  else signs.unclear += 1;
};

/** The mark that a column shows; undefined where it shows both, or none and needs one. */
export const markOf = ({ points, commas, unclear }: PriceSigns): DecimalMark | undefined => {
  if (points > 0 && commas > 0) return undefined;
  if (points > 0) return '.';
  if (commas > 0) return ',';
  return unclear > 0 ? undefined : '.';
};

const OTHER_CURRENCY = /€|£|¥|\b(eur|gbp|chf|cad|aud|jpy|sek|nok|dkk)\b/i;
const RANGE = '$0.50 to $99,999.99';

/** Cents of a price; undefined for an empty cell. A sentence for what is none, or none in dollars. */
export const priceOf = (
  text: string | undefined,
  mark: DecimalMark | undefined,
  what = 'price',
): number | undefined | string => {
  const said = (text ?? '').trim();
  if (said === '') return undefined;
  if (OTHER_CURRENCY.test(said)) return `Its ${what} is ${said}: prices here are US dollars`;
  const bare = said.replace(/^(us-?\s?)?\$\s*|^usd\s*|\s*(us-?\s*)?(\$|usd)$/gi, '').trim();
  if (mark === undefined && /[.,]/.test(bare)) return `Its ${what} is ${said}: say above what separates the cents`;
  const plain =
    mark !== ','
      ? bare.replaceAll(/,(?=\d{3}(\D|$))/g, '')
      : bare.replaceAll(/\.(?=\d{3}(\D|$))/g, '').replace(',', '.');
  const cents = parseCents(plain.replace(/(\.\d\d)0+$/, '$1'));
  if (cents === 0 || /^(poa|p\.?o\.?a\.?|price on (request|application)|inquire)$/i.test(said))
    return `It has no ${what}`;
  return cents === undefined || cents < MIN_PRICE_CENTS || cents > MAX_PRICE_CENTS
    ? `Its ${what} is ${said}: give one from ${RANGE}`
    : cents;
};
