import { useState } from 'react';
import { saveShelfPause, type ShelfPause } from '#contract/catalog/pausing.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { dayInWords, ordersInWords } from './away-words.ts';

interface Props {
  pause: ShelfPause;
  /** Reads the lists again. */
  onChanged: () => Promise<void>;
}

const Form = ({ pause, onChanged, onClose }: Props & { onClose: () => void }) => {
  const form = useForm({
    names: ['until'],
    draft: false,
    check: () => ({}),
    send: async ({ until }) => {
      await call(saveShelfPause, { body: { paused: true, until: until === '' ? null : until } });
      toast('Your shelf is paused', {
        text: until === '' ? 'It stays so until you are back.' : `Your books are back on ${dayInWords(until)}.`,
      });
      await onChanged();
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Pause your shelf">
      <ul className="ml-5 flex list-disc flex-col gap-1 text-muted">
        <li>Every book that nobody has reserved is hidden, and so are books you add meanwhile.</li>
        <li>Nothing is lost: waiting lists stay, and whoever is first is asked when you are back.</li>
        <li>{ordersInWords(pause.openOrders)}</li>
      </ul>
      <Field
        {...form.field('until')}
        label="Day of return"
        type="date"
        defaultValue={pause.until ?? ''}
        hint="Your books come back by themselves when this day begins. Leave it empty to come back with one press."
        optional
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button {...form.button}>{pause.paused ? 'Save the day' : 'Pause my shelf'}</Button>
      </div>
    </form>
  );
};

const PauseDialog = ({ open, onClose, ...props }: Props & { open: boolean; onClose: () => void }) => (
  <Modal open={open} title={props.pause.paused ? 'When are you back?' : 'Pause your whole shelf?'} onClose={onClose}>
    <Form {...props} onClose={onClose} />
  </Modal>
);

/** Asks for a day of return, and pauses the whole shelf. */
export const PauseShelf = (props: Props) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Pause my shelf
      </Button>
      <PauseDialog {...props} open={open} onClose={() => setOpen(false)} />
    </>
  );
};

/** Says on top of the page that the whole shelf is paused, and ends it with one press. */
export const AwayNotice = ({ pause, onChanged }: Props) => {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const comeBack = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(saveShelfPause, { body: { paused: false, until: null } });
      toast('Welcome back', { text: 'Your books can be found and bought again.' });
    } catch (error) {
      toast('This did not work', { tone: 'error', text: messageOf(error) });
    }
    await onChanged();
    setBusy(false);
  };
  const { until, hidden, openOrders } = pause;
  const books = hidden === 1 ? 'One book is' : `${hidden} books are`;
  return (
    <div className="mb-6">
      <Notice
        tone="info"
        title={until === null ? 'Your shelf is paused' : `Your shelf is paused until ${dayInWords(until)}`}
      >
        <p>
          {books} hidden{until === null ? ' until you are back' : ' and back when that day begins'}. Books that you
          paused one by one stay paused then. {ordersInWords(openOrders)}
        </p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void comeBack()}>
            I am back
          </Button>
          <Button look="secondary" onClick={() => setOpen(true)}>
            {until === null ? 'Set a day of return' : 'Change the day'}
          </Button>
        </div>
      </Notice>
      <PauseDialog pause={pause} onChanged={onChanged} open={open} onClose={() => setOpen(false)} />
    </div>
  );
};
