/**
 * A number as users type it, as the contract reads it: with a decimal point. Half the world writes a comma instead; a
 * comma before a point groups thousands, as do points before a comma, and a dollar sign says what is known. What may
 * mean either (`1,250`) stays wrong, for the rules to refuse.
 */
export const decimalText = (typed: string): string => {
  const text = typed.trim().replace(/^\$\s*/, '');
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (text.includes('.')) return text.replaceAll(/,(?=\d{3}(?:\D|$))/g, '');
  return text.replace(',', '.');
};
