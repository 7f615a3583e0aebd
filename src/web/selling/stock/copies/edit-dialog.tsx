import { useState } from 'react';
import { CONDITIONS, type Category } from '#contract/catalog/catalog.ts';
import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';
import {
  editStock,
  previewStockEdit,
  type StockChange,
  type StockEdit,
  type StockEditPreview,
  type StockSelection,
} from '#contract/stock/stock-edits.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { newUuid } from '#web/api/uuid.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { copies } from '#web/selling/stock/stock-words.ts';
import { changeOf, EMPTY_FORM, leftWords, type EditForm } from './edit-words.ts';

const changesWords = ({ changes, copies: all }: StockEditPreview): string => {
  if (changes === 0) return 'Nothing would change.';
  if (all === 1) return 'This copy changes.';
  return `${formatCount(changes)} of ${copies(all)} ${changes === 1 ? 'changes' : 'change'}.`;
};

const Preview = ({ preview }: { preview: StockEditPreview }) => (
  <div role="status" className="rounded-box bg-base-200 p-4">
    <p className="font-semibold">{changesWords(preview)}</p>
    {preview.left.length > 0 && (
      <ul className="mt-1 text-sm text-muted">
        {preview.left.map((left) => (
          <li key={left.because}>{leftWords(left)}.</li>
        ))}
      </ul>
    )}
    {preview.examples.some(({ before, after }) => before !== after) && (
      <ul className="mt-2 text-sm">
        {preview.examples.map(({ _id, title, before, after }) => (
          <li key={_id} className="flex justify-between gap-3">
            <span className="truncate" dir="auto">
              {title}
            </span>
            <span className="whitespace-nowrap tabular-nums">
              {formatDollars(before)} → {formatDollars(after)}
            </span>
          </li>
        ))}
      </ul>
    )}
  </div>
);

interface Props {
  /** Taken out, and not edited. */
  isRemoval: boolean;
  selection: StockSelection;
  count: number;
  categories: readonly Category[];
  onBegun: (edit: StockEdit) => void;
  onClose: () => void;
}

/** What is to become of the chosen copies: looked at first, then done, and undone for a day. */
export const EditDialog = ({ isRemoval, selection, count, categories, onBegun, onClose }: Props) => {
  const [form, setForm] = useState<EditForm>(EMPTY_FORM);
  const [preview, setPreview] = useState<{ of: StockEditPreview; change: StockChange }>();
  const [failure, setFailure] = useState<{ message: string; fields: FieldErrors }>();
  const [busy, setBusy] = useState(false);
  const [id] = useState(newUuid);
  const put = (part: Partial<EditForm>): void => {
    setForm({ ...form, ...part });
    setPreview(undefined);
    setFailure(undefined);
  };
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure({ message: messageOf(error), fields: error instanceof ApiError ? error.fields : {} });
      setPreview(undefined);
    } finally {
      setBusy(false);
    }
  };
  const look = (): Promise<void> =>
    act(async () => {
      const change: StockChange = isRemoval ? { remove: true } : changeOf(form);
      setPreview({ of: await call(previewStockEdit, { body: { selection, change } }), change });
    });
  const begin = (change: StockChange, of: StockEditPreview): Promise<void> =>
    act(async () => onBegun(await call(editStock, { params: { id }, body: { selection, change, copies: of.copies } })));
  const said = (name: string): string | undefined => failure?.fields[name];
  return (
    <Modal open title={isRemoval ? `Take ${copies(count)} out` : `Edit ${copies(count)}`} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void (preview === undefined || preview.of.changes === 0 ? look() : begin(preview.change, preview.of));
        }}
      >
        {isRemoval ? (
          <p>Free copies leave the shop at once, and who waits for one is told. You can undo it for 24 hours.</p>
        ) : (
          <>
            <div className="grid gap-3 sm:grid-cols-3">
              <Select
                label="Price"
                value={form.by}
                onChange={(event) => put({ by: event.target.value as EditForm['by'] })}
              >
                <option value="">As it is</option>
                <option value="percent-up">Up by percent</option>
                <option value="percent-down">Down by percent</option>
                <option value="amount-up">Up by dollars</option>
                <option value="amount-down">Down by dollars</option>
                <option value="to">Set to dollars</option>
              </Select>
              {form.by !== '' && (
                <>
                  <Field
                    label={form.by.startsWith('percent') ? 'Percent' : 'Dollars'}
                    inputMode="decimal"
                    value={form.value}
                    error={said('price')}
                    onChange={(event) => put({ value: event.target.value })}
                  />
                  <Select
                    label="Rounded"
                    value={form.round}
                    onChange={(event) => put({ round: event.target.value as EditForm['round'] })}
                  >
                    <option value="cent">To the cent</option>
                    <option value="half">To half a dollar</option>
                    <option value="dollar">To the dollar</option>
                    <option value="99">To .99</option>
                  </Select>
                </>
              )}
            </div>
            <div className="grid gap-3 sm:grid-cols-2">
              <Select
                label="Condition"
                value={form.condition}
                onChange={(event) => put({ condition: event.target.value })}
              >
                <option value="">As it is</option>
                {CONDITIONS.map((condition) => (
                  <option key={condition}>{condition}</option>
                ))}
              </Select>
              <Select
                label="Category"
                value={form.category}
                error={said('category')}
                onChange={(event) => put({ category: event.target.value })}
              >
                <option value="">As it is</option>
                {categories.map(({ category_id, category_name }) => (
                  <option key={category_id} value={category_id}>
                    {category_name}
                  </option>
                ))}
              </Select>
              <Select
                label="Delivery"
                value={form.delivery}
                error={said('delivery')}
                onChange={(event) => put({ delivery: event.target.value })}
              >
                <option value="">As it is</option>
                <option value="settings">As for all my books</option>
                <option value="pickup">Pickup only</option>
                <option value="post">By post only</option>
                <option value="both">Pickup and post</option>
              </Select>
              <Select
                label="On sale"
                value={form.sale}
                onChange={(event) => put({ sale: event.target.value as EditForm['sale'] })}
              >
                <option value="">As it is</option>
                <option value="pause">Pause</option>
                <option value="resume">Put back</option>
              </Select>
            </div>
          </>
        )}
        {failure !== undefined && <Notice tone="error">{failure.fields['change'] ?? failure.message}</Notice>}
        {preview !== undefined && <Preview preview={preview.of} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look={isRemoval && preview !== undefined ? 'danger' : 'primary'} busy={busy}>
            {preview === undefined || preview.of.changes === 0
              ? 'See what changes'
              : `${isRemoval ? 'Take out' : 'Change'} ${copies(preview.of.changes)}`}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
