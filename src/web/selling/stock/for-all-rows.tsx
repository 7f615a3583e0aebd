import { useId, type FocusEvent } from 'react';
import { CONDITIONS, type Category } from '#contract/catalog/catalog.ts';
import type { StatusMeaning } from '#contract/stock/fields.ts';
import { formatCount } from '#contract/count.ts';
import type { StockFile } from '#contract/stock/stock-files.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import type { Choose } from './use-choices.ts';

interface Props {
  file: StockFile;
  categories: readonly Category[];
  choose: Choose;
}

/** What is asked of a file once, for all rows that do not say it; what rows wait for stands first. */
export const ForAllRows = ({ file, categories, choose }: Props) => {
  const headingId = useId();
  const { choices, counts, survey } = file;
  if (survey === null) return null;
  const asks = new Set(counts?.asks ?? []);
  const lacks = (what: string): string | undefined => (asks.has(what) ? 'Rows wait for this' : undefined);
  const leave =
    (name: 'price' | 'location' | 'phone') =>
    (event: FocusEvent<HTMLInputElement>): void => {
      const { value } = event.currentTarget;
      if (value.trim() !== (choices[name] ?? '')) void choose({ [name]: value.trim() });
    };
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} className="font-semibold">
        For rows that do not say it
      </h3>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Select
          label="Category"
          value={choices.category ?? ''}
          error={lacks('category')}
          onChange={(event) => void choose({ category: event.target.value })}
        >
          <option value="">Choose a category</option>
          {categories.map(({ category_id: id, category_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          label="Condition"
          value={choices.condition ?? ''}
          error={lacks('condition')}
          onChange={(event) => void choose({ condition: CONDITIONS.find((one) => one === event.target.value) })}
        >
          <option value="">None: refuse such rows</option>
          {CONDITIONS.map((condition) => (
            <option key={condition} value={condition}>
              {condition}
            </option>
          ))}
        </Select>
        <Field
          label="Where the books are"
          defaultValue={choices.location ?? ''}
          error={lacks('location')}
          maxLength={200}
          onBlur={leave('location')}
        />
        <Field label="Phone" optional defaultValue={choices.phone ?? ''} maxLength={50} onBlur={leave('phone')} />
        {(asks.has('price') || choices.price !== undefined) && (
          <Field
            label="Price"
            inputMode="decimal"
            defaultValue={choices.price ?? ''}
            error={lacks('price')}
            maxLength={12}
            hint="$0.50 to $99,999.99"
            onBlur={leave('price')}
          />
        )}
        {survey.decimal === null && (
          <Select
            label="What separates the cents"
            value={choices.decimal ?? ''}
            error={choices.decimal === undefined ? 'The prices do not show it: 1,250 may be either' : undefined}
            onChange={(event) => void choose({ decimal: event.target.value === ',' ? ',' : '.' })}
          >
            <option value="" disabled>
              Choose
            </option>
            <option value=".">A point: 12.50 and 1,250.00</option>
            <option value=",">A comma: 12,50 and 1.250,00</option>
          </Select>
        )}
      </div>
      {survey.statuses.length > 0 && (
        <fieldset className="mt-5">
          <legend className="font-semibold">What the status means</legend>
          <div className="mt-2 grid gap-4 sm:grid-cols-2">
            {survey.statuses.map(({ value, rows, meaning }) => {
              const chosen = choices.statuses?.[value] ?? meaning ?? '';
              return (
                <Select
                  key={value}
                  label={`“${value}” in ${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`}
                  value={chosen}
                  error={chosen === '' ? 'Rows wait for this: one house sells an S, another has sold it' : undefined}
                  onChange={(event) =>
                    void choose(({ statuses }) => ({
                      statuses: { ...statuses, [value]: event.target.value as StatusMeaning },
                    }))
                  }
                >
                  <option value="" disabled>
                    Choose
                  </option>
                  <option value="sale">For sale</option>
                  <option value="pause">On hold: listed, and paused</option>
                  <option value="gone">Gone: not for sale any more</option>
                </Select>
              );
            })}
          </div>
        </fieldset>
      )}
      <div className="mt-4 grid gap-2">
        {survey.format === 'delimited' && !survey.columns.includes('sku') && (
          <CheckField
            label="Give rows without a number one"
            checked={choices.makesNumbers === true}
            onChange={(event) => void choose({ makesNumbers: event.target.checked || undefined })}
            hint="Each row is a copy then, also where two are alike. The same file has the same numbers every time."
          />
        )}
        <CheckField
          label="This file is my whole stock"
          checked={choices.isWholeStock === true}
          onChange={(event) => void choose({ isWholeStock: event.target.checked || undefined })}
          hint="Books that it does not name are taken away, once you typed how many. Else a book that is not in it stays as it is."
        />
      </div>
    </section>
  );
};
