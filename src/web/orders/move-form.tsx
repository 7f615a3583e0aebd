import { useEffect, useRef } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { ApiError } from '#web/api/api-error.ts';
import { arrivedIn } from '#web/shell/photos/arrival.ts';
import { usePhotoQueue } from '#web/shell/photos/use-photo-queue.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { MoveFields } from './move-fields.tsx';
import { moveInput, moveProblems, namesOf } from './move-input.ts';
import { moveWords, type MoveWords } from './moves.ts';
import type { Mover } from './use-move.ts';

/** What the shop says of one input of ours stands beside it. */
const atField = (error: unknown): unknown => {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId, fields } = error;
  const { pickupTimes: first = '', photos } = fields;
  // Beside the button: no input has them, so nothing leads there.
  if (photos !== undefined) return new ApiError({ status, code, message: `${photos}.`, requestId });
  const own: FieldErrors = {
    ...(code === 'wrong_code' && { code: `${message}.` }),
    ...(code === 'refund_refused' && { amount: `${message}.` }),
    ...(first !== '' && { first }),
  };
  return new ApiError({ status, code, message, requestId, fields: { ...fields, ...own } });
};

const waitingFor = (photos: number): string =>
  photos === 1 ? 'Waiting for a photo…' : `Waiting for ${photos} photos…`;

interface FormProps {
  order: Order;
  move: string;
  words: MoveWords;
  make: Mover['make'];
  /** In a dialog: how it is closed. What is typed there ends with it. */
  onClose?: () => void;
}

/** Asks for what a move needs and makes it. */
export const MoveForm = ({ order, move, words, make, onClose }: FormProps) => {
  const { fields, sends, label, confirms = label, says, done, isDanger } = words;
  const names = namesOf(fields);
  const photos = usePhotoQueue();
  const { queue } = photos;
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      for (const { id } of queue.items()) queue.remove(id);
    };
  }, [queue]);
  const form = useForm({
    names,
    draft: onClose === undefined,
    check: (values) => moveProblems(names, values),
    send: async (values) => {
      try {
        const ids = await arrivedIn(queue);
        // Whoever left the form while it waited has not sent it.
        if (!isHere.current) return;
        const input = { ...sends, ...moveInput(move, names, values), ...(ids.length > 0 && { photos: ids }) };
        // Gone before the focus goes to the heading: it would return to where it was.
        await make(input, done, onClose);
      } catch (error) {
        throw atField(error);
      }
    },
  });
  const underWay = queue.underWay();
  return (
    <form {...form.props} className="flex flex-col gap-4">
      {says !== '' && <p className="text-muted">{says}</p>}
      <MoveFields fields={fields} order={order} form={form} photos={photos} />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      {onClose === undefined ? (
        <Button {...form.button} className="sm:self-start">
          {label}
        </Button>
      ) : (
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={onClose}>
            Go back
          </Button>
          <Button {...form.button} look={isDanger ? 'danger' : 'primary'}>
            {form.button.busy && underWay > 0 ? waitingFor(underWay) : confirms}
          </Button>
        </div>
      )}
    </form>
  );
};

interface DialogProps {
  order: Order;
  /** The move that is asked about; open while there is one. */
  move: string | undefined;
  make: Mover['make'];
  onClose: () => void;
}

/** Says what a move does, asks for what it needs, and makes it. */
export const MoveDialog = ({ order, move, make, onClose }: DialogProps) => {
  const words = move === undefined ? undefined : moveWords(order, move);
  return (
    <Modal open={words !== undefined} title={words?.label ?? ''} onClose={onClose}>
      {move !== undefined && words !== undefined && (
        <MoveForm key={move} order={order} move={move} words={words} make={make} onClose={onClose} />
      )}
    </Modal>
  );
};
