import { useLayoutEffect, useState, type RefObject } from 'react';

export type Side = 'top' | 'bottom';

/** The room between a toast and the edge of the window, as its classes have it. */
const EDGE_PX = 16;

/** What a person reads or does next. */
const STEPS = 'h1, [data-step], [data-keep-clear], .btn:not(.btn-ghost), input, select, textarea';
/** Of these, what must not be covered at all. */
const NEXT = 'h1, [data-step], [data-keep-clear], .btn-primary, [type="submit"]';
const NEXT_WEIGHT = 10;

/** How much of what is done next lies under `toasts` on each side of the window. */
const coveredBy = (toasts: HTMLElement): Record<Side, number> => {
  const { left, right, height } = toasts.getBoundingClientRect();
  const within = toasts.closest('dialog, [popover]') ?? document.querySelector('main') ?? document.body;
  const spans = { top: [EDGE_PX, EDGE_PX + height], bottom: [innerHeight - EDGE_PX - height, innerHeight - EDGE_PX] };
  const covered = { top: 0, bottom: 0 };
  for (const step of within.querySelectorAll(STEPS)) {
    const box = step.getBoundingClientRect();
    if (toasts.contains(step) || box.width === 0 || box.right <= left || box.left >= right) continue;
    for (const side of ['top', 'bottom'] as const) {
      const [from = 0, to = 0] = spans[side];
      if (box.bottom > from && box.top < to) covered[side] += step.matches(NEXT) ? NEXT_WEIGHT : 1;
    }
  }
  return covered;
};

/**
 * The side of the window where toasts cover least of what is done next: `preferred` unless something lies there, and
 * never another one under somebody's pointer. Looked at again when the page under them changes.
 */
export const useSide = (toasts: RefObject<HTMLElement | null>, preferred: Side, isShown: boolean): Side => {
  const [side, setSide] = useState(preferred);
  useLayoutEffect(() => {
    const element = toasts.current;
    if (!isShown || element === null) return undefined;
    let frame = 0;
    const choose = (): void => {
      if (element.matches(':hover, :focus-within')) return;
      const covered = coveredBy(element);
      setSide((now) => {
        const other = now === 'top' ? 'bottom' : 'top';
        return covered[other] < covered[now] ? other : now;
      });
    };
    const soon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(choose);
    };
    const watch = new MutationObserver(soon);
    watch.observe(document.body, { childList: true, subtree: true });
    for (const event of ['resize', 'focusin', 'scrollend']) addEventListener(event, soon);
    choose();
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      for (const event of ['resize', 'focusin', 'scrollend']) removeEventListener(event, soon);
      setSide(preferred);
    };
  }, [toasts, preferred, isShown]);
  return side;
};
