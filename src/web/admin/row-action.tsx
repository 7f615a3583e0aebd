import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { messageOf } from '#web/api/api-error.ts';
import { Link } from 'react-router';
import { Button, buttonClass, type ButtonLook } from '#web/ui/button.tsx';

/** Once its work is done the button goes away: the focus, if it had it, goes on to `next` and not to nowhere. */
const passFocusOn = (button: HTMLButtonElement, next: HTMLElement | null | undefined): void => {
  const { activeElement } = document;
  if (activeElement === button || activeElement === document.body) next?.focus();
};

/** A button of a row that does its work at once; what goes wrong is said beneath it. */
export const RowAction = ({
  label,
  name,
  act,
  look = 'secondary',
}: {
  label: string;
  name: string;
  act: () => Promise<void>;
  look?: ButtonLook;
}) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const press = async (event: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const button = event.currentTarget;
    const next = button.closest('tr')?.querySelector<HTMLElement>('[data-delete]');
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      passFocusOn(button, next);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col items-start gap-1 sm:items-end">
      <Button look={look} size="sm" busy={busy} onClick={(event) => void press(event)}>
        {label}
        <span className="sr-only">: {name}</span>
      </Button>
      {failure !== undefined && (
        <p role="alert" className="max-w-56 text-sm text-error">
          {failure}
        </p>
      )}
    </div>
  );
};

export interface Asked<Row> {
  /** The row that the dialog asks about; undefined while it is closed. */
  readonly of: Row | undefined;
  readonly ask: (row: Row, event: MouseEvent<HTMLElement>) => void;
  readonly close: () => void;
}

/**
 * What a button of a row asks about in a dialog. Where that button is gone once the dialog is closed, the focus goes on
 * to Delete.
 */
export const useAsked = <Row,>(): Asked<Row> => {
  const [of, setOf] = useState<Row>();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (of !== undefined) return;
    // The dialog has given the focus back by now, or had nowhere to give it to.
    if (document.activeElement === document.body) place.current?.querySelector<HTMLElement>('[data-delete]')?.focus();
    place.current = null;
  }, [of]);
  const ask: Asked<Row>['ask'] = (row, event) => {
    place.current = event.currentTarget.closest('tr');
    setOf(row);
  };
  return { of, ask, close: () => setOf(undefined) };
};

/** A button of a row that asks first. */
export const AskButton = ({
  label,
  name,
  look = 'secondary',
  onPress,
}: {
  label: string;
  name: string;
  look?: ButtonLook;
  onPress: (event: MouseEvent<HTMLElement>) => void;
}) => (
  <Button look={look} size="sm" onClick={onPress}>
    {label}
    <span className="sr-only">: {name}</span>
  </Button>
);

/** The way to all that admins know of somebody. */
export const PersonLink = ({ user: { _id, name } }: { user: { _id: string; name: string } }) => (
  <Link to={`/dashboard/people/${_id}`} className={buttonClass('secondary', 'sm')}>
    Details<span className="sr-only">: {name}</span>
  </Link>
);

/** Asks first, elsewhere; for one's own account there is nothing to press. */
export const DeleteButton = ({ name, own, onPress }: { name: string; own: boolean; onPress: () => void }) => (
  <Button look="quiet-danger" size="sm" disabled={own} data-delete onClick={onPress}>
    Delete<span className="sr-only">: {own ? `${name}, your own account, cannot be deleted here` : name}</span>
  </Button>
);
