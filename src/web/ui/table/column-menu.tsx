import { useId, useRef, type ToggleEvent } from 'react';
import { buttonClass } from '#web/ui/button.tsx';
import { ColumnsIcon } from './table-icons.tsx';

/** Which columns of a table are left out, by their keys. */
export interface Choosing {
  readonly hidden: readonly string[];
  readonly onHide: (hidden: readonly string[]) => void;
}

/** What a column is called in an address: "From and to" is from-and-to. */
export const columnKey = (header: string): string =>
  header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const GAP_PX = 4;

/** A menu at the table's head that leaves columns out and takes them in again; for a desk, where there are columns. */
export const ColumnMenu = ({
  headers,
  choosing: { hidden, onHide },
}: {
  headers: readonly string[];
  choosing: Choosing;
}) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ currentTarget: panel, newState }: ToggleEvent<HTMLElement>): void => {
    if (newState !== 'open' || button.current === null) return;
    // What is above everything else knows nothing of the button: it is told where that is on the page.
    const { bottom, right } = button.current.getBoundingClientRect();
    panel.style.top = `${bottom + scrollY + GAP_PX}px`;
    panel.style.right = `${document.documentElement.clientWidth - right}px`;
  };
  const toggle = (key: string): void =>
    onHide(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]);
  return (
    <>
      <button ref={button} type="button" className={buttonClass('quiet', 'sm', 'max-sm:hidden')} popoverTarget={id}>
        <ColumnsIcon className="size-4" />
        Columns
      </button>
      <div
        id={id}
        popover="auto"
        onBeforeToggle={place}
        className="absolute inset-auto m-0 rounded-box border border-base-300 bg-base-100 p-2 text-base-content shadow-xl"
      >
        <fieldset>
          <legend className="sr-only">Columns that are shown</legend>
          {headers.map((header) => {
            const key = columnKey(header);
            return (
              <label
                key={key}
                className="flex min-h-9 cursor-pointer items-center gap-3 rounded-field px-3 text-sm hover:bg-base-200"
              >
                <input
                  type="checkbox"
                  className="size-4 accent-primary"
                  checked={!hidden.includes(key)}
                  onChange={() => toggle(key)}
                />
                {header}
              </label>
            );
          })}
        </fieldset>
      </div>
    </>
  );
};
