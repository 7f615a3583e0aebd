import { useEffect, useState } from 'react';
import { formatCount } from '#contract/count.ts';
import { STOCK_FIELD_NAMES, STOCK_FIELDS } from '#contract/stock/fields.ts';
import {
  downloadRefused,
  listStockRows,
  mendStockRow,
  type StockAction,
  type StockFile,
  type StockRow,
} from '#contract/stock/stock-files.ts';
import { messageOf } from '#web/api/api-error.ts';
import { callFile } from '#web/api/call-file.ts';
import { call, callPage } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice, SkeletonRows } from '#web/ui/states.tsx';
import { ACTIONS } from './stock-words.ts';

interface Shown {
  readonly of: StockAction;
  readonly rows: readonly StockRow[];
  readonly next: string | undefined;
}

/** A refused row, to be put right in its place. */
const MendRow = ({
  file,
  row,
  onClose,
  onMended,
}: {
  file: StockFile;
  row: StockRow;
  onClose: () => void;
  onMended: (row: StockRow) => void;
}) => {
  const [cells, setCells] = useState<Record<string, string>>(row.cells);
  const [said, setSaid] = useState(row.reason);
  const [busy, setBusy] = useState(false);
  // What the row has, and what a copy needs.
  const fields = STOCK_FIELD_NAMES.filter(
    (name) => row.cells[name] !== undefined || ['sku', 'title', 'price', 'isbn', 'quantity'].includes(name),
  );
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const params = { id: file.id, line: String(row.line) };
      const mended = await call(mendStockRow, { params, body: { cells } });
      if (mended.action === 'refused') setSaid(mended.reason);
      else onMended(mended);
    } catch (error) {
      setSaid(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal open title={`Line ${row.line}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Notice tone="warning">{said}</Notice>
        {fields.map((name) => (
          <Field
            key={name}
            label={STOCK_FIELDS[name]}
            value={cells[name] ?? ''}
            onChange={(event) => setCells({ ...cells, [name]: event.target.value })}
          />
        ))}
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            Put it right
          </Button>
        </div>
      </form>
    </Modal>
  );
};

const Row = ({ row, onMend }: { row: StockRow; onMend: (() => void) | undefined }) => (
  <li className="flex items-start justify-between gap-3 py-3">
    <div className="min-w-0">
      <p className="wrap-anywhere">
        <span className="font-semibold" dir="auto">
          {row.cells['title'] ?? row.cells['isbn'] ?? '(no title)'}
        </span>{' '}
        <span className="text-sm whitespace-nowrap text-muted">
          {row.sku === '' ? '' : `${row.sku} · `}line {row.line}
        </span>
      </p>
      {row.reason !== '' && <p className="text-sm wrap-anywhere text-muted">{row.reason}</p>}
    </div>
    {onMend !== undefined && (
      <Button look="secondary" size="sm" onClick={onMend}>
        Mend<span className="sr-only"> line {row.line}</span>
      </Button>
    )}
  </li>
);

/** The rows of a file by what they come to; refused ones are mended here, or downloaded. */
export const StockRows = ({ file, onMended }: { file: StockFile; onMended?: () => void }) => {
  const { counts, id } = file;
  const there = ACTIONS.filter(([action]) => (counts?.rows[action] ?? 0) > 0);
  const [action, setAction] = useState<StockAction | undefined>(there[0]?.[0]);
  const [read, setRead] = useState<Shown>();
  const [failure, setFailure] = useState<string>();
  const [mending, setMending] = useState<StockRow>();

  useEffect(() => {
    if (action === undefined) return undefined;
    let isGone = false;
    callPage(listStockRows, { params: { id }, query: { action } })
      .then((page) => {
        if (!isGone) setRead({ ...page, of: action });
      })
      .catch((error: unknown) => setFailure(messageOf(error)));
    return () => {
      isGone = true;
    };
  }, [action, id]);

  if (counts === null || action === undefined) return null;
  const shown = read?.of === action ? read : undefined;
  const more = async (): Promise<void> => {
    if (shown?.next === undefined) return;
    const page = await callPage(listStockRows, { params: { id }, query: { action, cursor: shown.next } });
    setRead({ rows: [...shown.rows, ...page.rows], next: page.next, of: action });
  };
  return (
    <section aria-label="Rows">
      <div role="group" aria-label="Which rows" className="flex flex-wrap gap-2">
        {there.map(([one, name]) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === action}
            className={classes(
              'btn btn-sm min-h-9',
              one === action ? 'btn-neutral' : 'btn-outline border-base-content/30',
            )}
            onClick={() => setAction(one)}
          >
            {name} {formatCount(counts.rows[one])}
          </button>
        ))}
      </div>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      {shown === undefined ? (
        <div className="mt-3">
          <SkeletonRows rows={3} />
        </div>
      ) : (
        <ul className="mt-2 divide-y divide-base-300">
          {shown.rows.map((row) => (
            <Row
              key={row.line}
              row={row}
              onMend={action === 'refused' && onMended !== undefined ? () => setMending(row) : undefined}
            />
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        {shown?.next !== undefined && (
          <Button look="secondary" size="sm" onClick={() => void more()}>
            Show more
          </Button>
        )}
        {action === 'refused' && (
          <DownloadButton
            label="Download the refused rows"
            name="refused.csv"
            read={() => callFile(downloadRefused, {}, { id })}
            say={messageOf}
          />
        )}
      </div>
      {mending !== undefined && (
        <MendRow
          file={file}
          row={mending}
          onClose={() => setMending(undefined)}
          onMended={() => {
            setMending(undefined);
            onMended?.();
          }}
        />
      )}
    </section>
  );
};
