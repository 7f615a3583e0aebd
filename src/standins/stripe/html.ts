/** A text as it may stand in a page, also between quotation marks. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function inDollars(cents: number): string {
  return `${(cents / 100).toFixed(2)} USD`;
}
