// What the pages' policies stopped, by shop. Browsers report with a delay, and not at all from a window that is gone by
// then; so pages tell it at once, and a shop that closes fails when there was any, also where a test did not end its
// visits.
const violations = new Map<string, string[]>();

export const noteViolation = (url: string, what: string): void => {
  violations.set(url, [...(violations.get(url) ?? []), what]);
};

/** What was stopped on the pages of the shop at `url`, by directive and address. */
export const violationsAt = (url: string): readonly string[] => violations.get(url) ?? [];
