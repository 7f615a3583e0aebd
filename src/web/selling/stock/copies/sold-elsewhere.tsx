import { useState } from 'react';
import { sellElsewhere, undoSoldElsewhere } from '#contract/stock/sold-elsewhere.ts';
import type { StockCopy } from '#contract/stock/stock-copies.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';

/** Takes a copy out in one press that was sold over the counter, and puts it back in another. */
export const SoldElsewhere = ({
  copy,
  isLarge = false,
  onDone,
}: {
  copy: StockCopy;
  isLarge?: boolean;
  onDone: (copy: StockCopy) => void;
}) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isOut = copy.standing === 'elsewhere';
  if (copy.standing === 'sold') return null;
  const press = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      onDone(await call(isOut ? undoSoldElsewhere : sellElsewhere, { params: { id: copy._id } }));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <Button
        look={isLarge && !isOut ? 'primary' : 'secondary'}
        size={isLarge ? 'md' : 'sm'}
        busy={busy}
        onClick={() => void press()}
      >
        <span className="whitespace-nowrap">{isOut ? 'Put it back' : 'Sold elsewhere'}</span>
        <span className="sr-only"> {copy.title}</span>
      </Button>
      {failure !== undefined && (
        <p role="alert" className="max-w-56 text-xs text-error">
          {failure}
        </p>
      )}
    </div>
  );
};
