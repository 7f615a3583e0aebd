/** The mark by which spreadsheets know UTF-8; reading an answer as text takes it off. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Hands text to the browser as a file to keep. */
export const saveFile = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text.replace(/^\uFEFF/, '')], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; the text need not stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 0);
};
