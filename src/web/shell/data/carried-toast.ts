import { toast } from '#web/ui/toast/toast-store.ts';

/** In the tab's own storage, as this document is about to be left for another. */
const KEY = 'toast';

/** Has the next document of this tab show a notice. Without storage, as in some private modes, it is not shown. */
export const carryToast = (title: string): void => {
  try {
    sessionStorage.setItem(KEY, title);
  } catch {
    // What it tells of is seen on the next page as well.
  }
};

/** Shows what the document before this one had to say, once. */
export const showCarriedToast = (): void => {
  try {
    const title = sessionStorage.getItem(KEY);
    if (title === null) return;
    sessionStorage.removeItem(KEY);
    toast(title);
  } catch {
    // Without storage nothing was carried.
  }
};
