// The listeners of an element.

/** @typedef {(event?: any) => void} Listener */

export function createEmitter() {
  /** @type {Map<string, Set<Listener>>} */
  const listeners = new Map();
  /** @type {any} */
  let ready;

  return {
    /** @param {string} type @param {any} [event] */
    tell(type, event = { elementType: 'card' }) {
      if (type === 'ready') ready = event;
      // A copy: a listener may take itself off while it is being told.
      for (const listener of new Set(listeners.get(type))) listener(event);
    },
    /** @param {string} type @param {Listener} listener */
    on(type, listener) {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener));
      // Whoever asks late is told too: React attaches its listeners only after it has mounted the element.
      if (type === 'ready' && ready) queueMicrotask(() => set.has(listener) && listener(ready));
    },
    /** @param {string} type @param {Listener} [listener] */
    off(type, listener) {
      if (listener === undefined) listeners.delete(type);
      else listeners.get(type)?.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
