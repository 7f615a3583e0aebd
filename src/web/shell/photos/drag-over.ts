/** The place among its neighbours over which a pointer is. */
const placeUnder = ({ clientX, clientY }: PointerEvent): number | undefined => {
  const tile = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-photo-at]');
  return tile === null || tile === undefined ? undefined : Number(tile.dataset['photoAt']);
};

/**
 * From the press of a pointer to its release, tells each place over which it comes. The document listens: the tile that
 * was pressed is itself moved in it, and an element that is moved loses the pointer that it captured.
 */
export const dragOver = ({ pointerId, target }: PointerEvent, onPlace: (at: number) => void): void => {
  // A finger is captured by itself by what it touches.
  if (target instanceof Element && target.hasPointerCapture(pointerId)) target.releasePointerCapture(pointerId);
  const drag = new AbortController();
  const { signal } = drag;
  const move = (event: PointerEvent): void => {
    const at = event.pointerId === pointerId ? placeUnder(event) : undefined;
    if (at !== undefined) onPlace(at);
  };
  const end = (event: PointerEvent): void => {
    if (event.pointerId === pointerId) drag.abort();
  };
  document.addEventListener('pointermove', move, { signal });
  document.addEventListener('pointerup', end, { signal });
  document.addEventListener('pointercancel', end, { signal });
};
