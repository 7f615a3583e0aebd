// Which card numbers, dates and codes can be right. Each check answers with the code of what is wrong, or null.

/** @typedef {{ brand: string, word: string, prefix: RegExp, lengths: number[], cvc: number[] }} Brand */

/** @type {Brand[]} */
const BRANDS = [
  { brand: 'visa', word: 'Visa', prefix: /^4/, lengths: [16], cvc: [3] },
  {
    brand: 'mastercard',
    word: 'Mastercard',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    cvc: [3],
  },
  { brand: 'amex', word: 'American Express', prefix: /^3[47]/, lengths: [15], cvc: [4] },
  { brand: 'unionpay', word: 'UnionPay', prefix: /^62/, lengths: [16, 17, 18, 19], cvc: [3] },
  { brand: 'discover', word: 'Discover', prefix: /^(6011|64[4-9]|65)/, lengths: [16], cvc: [3] },
  { brand: 'diners', word: 'Diners Club', prefix: /^36/, lengths: [14], cvc: [3] },
  { brand: 'diners', word: 'Diners Club', prefix: /^3(0[0-5]|09|[89])/, lengths: [16], cvc: [3] },
  { brand: 'jcb', word: 'JCB', prefix: /^35/, lengths: [16], cvc: [3] },
];

/** @type {Brand} */
const UNKNOWN = { brand: 'unknown', word: '', prefix: /^/, lengths: [16], cvc: [3, 4] };

// From so many digits on, a number that fits no brand never will.
const BRAND_DIGITS = 4;
const MAX_YEARS_AHEAD = 50;

/** @param {string} digits */
export function brandOf(digits) {
  return BRANDS.find(({ prefix }) => prefix.test(digits)) ?? UNKNOWN;
}

/** @param {string} digits */
export function longestNumber(digits) {
  return Math.max(...brandOf(digits).lengths);
}

/** @param {string} digits */
export function longestCvc(digits) {
  return Math.max(...brandOf(digits).cvc);
}

/**
 * The usual checksum of card numbers.
 * @param {string} digits
 */
function hasGoodChecksum(digits) {
  let sum = 0;
  [...digits].reverse().forEach((digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}

/** @param {string} digits */
export function checkNumber(digits) {
  const { brand, lengths } = brandOf(digits);
  if (brand === 'unknown' && digits.length >= BRAND_DIGITS) return 'invalid_number';
  if (!lengths.includes(digits.length)) return 'incomplete_number';
  if (hasGoodChecksum(digits)) return null;
  return digits.length === Math.max(...lengths) ? 'invalid_number' : 'incomplete_number';
}

/**
 * @param {string} digits month and year, two digits each
 * @param {Date} today
 */
export function checkExpiry(digits, today) {
  if (digits.length < 4) return 'incomplete_expiry';
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  if (month < 1 || month > 12) return 'invalid_expiry_month';
  if (year < today.getFullYear()) return 'invalid_expiry_year_past';
  if (year > today.getFullYear() + MAX_YEARS_AHEAD) return 'invalid_expiry_year';
  if (year === today.getFullYear() && month < today.getMonth() + 1) return 'invalid_expiry_month_past';
  return null;
}

/**
 * @param {string} digits
 * @param {string} number
 */
export function checkCvc(digits, number) {
  return brandOf(number).cvc.includes(digits.length) ? null : 'incomplete_cvc';
}

/** @param {string} text */
export function checkZip(text) {
  return /^[A-Za-z0-9][A-Za-z0-9 -]{2,9}$/.test(text.trim()) ? null : 'incomplete_zip';
}
