let isAlive = false;

/** Says that what the server wrote has come alive: what is rendered from now on the browser makes itself. */
export const cameAlive = (): void => {
  isAlive = true;
};

/** Whether what is rendered now is there already, written by the server. */
export const isComingAlive = (): boolean => !isAlive;
