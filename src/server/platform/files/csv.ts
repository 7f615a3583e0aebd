/** What a spreadsheet takes for the beginning of a formula, in any width, or for the end of a cell. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;

/** Text as a cell of a CSV file: quoted, and never a formula. */
export const textCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** A whole CSV file (RFC 4180): marked as UTF-8 for spreadsheets, each line ended. `lines` are of ready cells. */
export const csvFile = (headers: readonly string[], lines: readonly (readonly string[])[]): string => {
  const all = [headers.map((header) => textCell(header)), ...lines];
  return `\uFEFF${all.map((cells) => `${cells.join(',')}\r\n`).join('')}`;
};

/** Cents as a number in a cell, dollars with two decimals. */
export const amountCell = (cents: number): string => (cents / 100).toFixed(2);
