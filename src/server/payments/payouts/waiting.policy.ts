const DAY_MS = 86_400_000;
/** After so many days with money that cannot be sent its seller is told, the last three times that it is unclaimed. */
const TOLD_AFTER_DAYS = [0, 3, 10, 30, 90, 365];

/** Whether a seller is to be told now that money waits for them, and when to look again. */
export const remindOf = (
  waiting: { readonly since: Date; readonly toldDays: number | null },
  now: Date,
): { readonly tellDays: number | undefined; readonly next: Date | undefined } => {
  const days = (now.getTime() - waiting.since.getTime()) / DAY_MS;
  const passed = TOLD_AFTER_DAYS.filter((after) => after <= days).at(-1);
  const next = TOLD_AFTER_DAYS.find((after) => after > days);
  return {
    tellDays: passed !== undefined && passed > (waiting.toldDays ?? -1) ? passed : undefined,
    next: next === undefined ? undefined : new Date(waiting.since.getTime() + next * DAY_MS),
  };
};
