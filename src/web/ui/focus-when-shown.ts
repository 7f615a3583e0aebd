/** Frames in which a dialog that opens has become visible, on a slow machine too. */
const MOST_FRAMES = 60;

/**
 * Focuses `element`, in a later frame where it is not visible yet, as in a dialog that is just opening; the answered
 * function gives up.
 */
export const focusWhenShown = (element: HTMLElement | null): (() => void) => {
  let frame = 0;
  const attempt = (left: number): void => {
    element?.focus();
    if (element === null || document.activeElement === element || left === 0) return;
    frame = requestAnimationFrame(() => attempt(left - 1));
  };
  attempt(MOST_FRAMES);
  return () => cancelAnimationFrame(frame);
};
