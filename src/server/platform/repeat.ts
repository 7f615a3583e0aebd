/** Runs `work` again and again, `pauseMs` after it ended, until stopped; a failure is told and does not end it. */
export const repeat = (
  work: () => Promise<unknown>,
  pauseMs: number,
  onError: (error: unknown) => void,
): { stop: () => Promise<void> } => {
  let stopped = false;
  let wake = (): void => {};
  const run = async (): Promise<void> => {
    while (!stopped) {
      await work().catch(onError);
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopped = true;
      wake();
      await running;
    },
  };
};
