const BAR_WIDTH = 30;
/** Where nobody watches a bar move, a line each tenth is enough. */
const PLAIN_STEPS = 10;

/** Shows how far long work is: a bar that moves on a terminal, plain lines elsewhere. */
export const progressOf = (unit: string, out: NodeJS.WriteStream): ((done: number, of: number) => void) => {
  let step = 0;
  return (done, of) => {
    const part = of === 0 ? 1 : done / of;
    const text = `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} ${unit}`;
    if (out.isTTY) {
      const full = Math.round(part * BAR_WIDTH);
      out.write(`\r${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${text}${done === of ? '\n' : ''}`);
      return;
    }
    if (done < of && Math.floor(part * PLAIN_STEPS) === step) return;
    step = Math.floor(part * PLAIN_STEPS);
    out.write(`${text}\n`);
  };
};
