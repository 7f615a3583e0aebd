import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRevalidator } from 'react-router';
import { moveOrder, type OrderMoveRequest } from '#contract/orders/orders.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call, newIdempotencyKey } from '#web/api/call.ts';
import { toast } from '#web/ui/toast/toast-store.ts';

export interface Mover {
  /**
   * Makes a move, shows the order as it is then and leads the reader to its heading. Also where the order does not take
   * it any more: what happened is then in `refusal`. Throws what else goes wrong. `onMade` is called before the focus
   * goes there, and closes the dialog that asked.
   */
  readonly make: (input: OrderMoveRequest, done: string, onMade?: () => void) => Promise<void>;
  /** What became of the order meanwhile, in the words of the shop. */
  readonly refusal: string | undefined;
}

/** The moves of one order; `toHeading` takes the focus there. */
export const useMove = (orderId: string, toHeading: () => void): Mover => {
  const [refusal, setRefusal] = useState<string>();
  const { revalidate } = useRevalidator();
  // One key for a move however often it is sent, until it is known what became of it; another one has its own.
  const sending = useRef({ input: '', key: '' });
  const make: Mover['make'] = async (input, done, onMade) => {
    let said: string | undefined;
    const text = JSON.stringify(input);
    if (sending.current.input !== text) sending.current = { input: text, key: newIdempotencyKey() };
    try {
      await call(moveOrder, { params: { id: orderId }, body: input }, { idempotencyKey: sending.current.key });
      sending.current = { input: '', key: '' };
      toast(done);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'order_moved') throw error;
      said = `${error.message}.`;
    }
    await revalidate();
    flushSync(() => {
      setRefusal(said);
      onMade?.();
    });
    toHeading();
  };
  return { make, refusal };
};
