/** Long enough for the browser to have begun; then the file's memory is given back. */
const KEPT_MS = 60_000;

/** Has the browser save `file` under `name`, as it saves any download. */
export const saveFile = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
};
