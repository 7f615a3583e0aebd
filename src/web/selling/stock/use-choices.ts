import { useRef, useState } from 'react';
import { chooseStock, type StockChoices, type StockFile } from '#contract/stock/stock-files.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';

/** Changes what is chosen of a file; what hangs on what was chosen before is given that. */
export type Choose = (
  change: Partial<StockChoices> | ((before: StockChoices) => Partial<StockChoices>),
) => Promise<void>;

/** Changes what is chosen of a file; the shop looks at its rows again. */
export const useChoices = (
  file: StockFile,
  onChanged: (file: StockFile) => void,
): { choose: Choose; failure: string | undefined } => {
  const [failure, setFailure] = useState<string>();
  // Two that are chosen at once are both chosen: one is sent after the other, lest they overtake each other.
  const latest = useRef(file.choices);
  const sending = useRef<Promise<unknown>>(undefined);
  const choose: Choose = async (change) => {
    setFailure(undefined);
    const changed = typeof change === 'function' ? change(latest.current) : change;
    const all = Object.entries({ ...latest.current, ...changed });
    const body = Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== '')) as StockChoices;
    latest.current = body;
    const before = sending.current;
    const send = async (): Promise<void> => {
      await before;
      // What was chosen since holds this too.
      if (latest.current !== body) return;
      try {
        onChanged(await call(chooseStock, { params: { id: file.id }, body }));
      } catch (error) {
        setFailure(messageOf(error));
      }
    };
    sending.current = send();
    await sending.current;
  };
  return { choose, failure };
};
