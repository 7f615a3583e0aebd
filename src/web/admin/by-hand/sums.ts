/** The sum of dollar amounts, to the cent. */
export const sumOf = (rows: readonly { readonly amount: number }[]): number =>
  Math.round(rows.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100;
