import { STOCK_FIELD_NAMES, STOCK_FIELDS } from '#contract/stock/fields.ts';
import type { StockChoices, StockFile } from '#contract/stock/stock-files.ts';
import { Field, Select } from '#web/ui/field.tsx';
import { DELIMITERS, ENCODINGS, FORMATS } from './stock-words.ts';
import type { Choose } from './use-choices.ts';

type Cells = Readonly<Record<string, string>>;

const Sample = ({ cells }: { cells: Cells }) => (
  <dl className="rounded-box border border-base-300 p-3 text-sm">
    {STOCK_FIELD_NAMES.flatMap((name) => {
      const text = cells[name];
      return text === undefined ? [] : [[name, text] as const];
    }).map(([name, text]) => (
      <div key={name} className="flex gap-2">
        <dt className="shrink-0 text-muted">{STOCK_FIELDS[name]}:</dt>
        <dd className="min-w-0 wrap-anywhere" dir="auto">
          {text}
        </dd>
      </div>
    ))}
  </dl>
);

/** How a file was read, to be put right: its encoding, its columns, and the rows by which a mistake is seen. */
export const HowItIsRead = ({ file, choose }: { file: StockFile; choose: Choose }) => {
  const { survey, choices } = file;
  if (survey === null) return null;
  const columns = (place: number, field: string): string[] =>
    survey.columns.map((before, at) => (at === place ? field : before));
  /** What is cut otherwise has other columns. */
  const cut = (change: Partial<StockChoices>): Promise<void> => choose({ ...change, columns: undefined });
  return (
    <details>
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        How it is read: {FORMATS[survey.format]}, {ENCODINGS.find(([one]) => one === survey.encoding)?.[1]}
      </summary>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <Select
          label="Format"
          value={survey.format}
          onChange={(event) => void cut({ format: event.target.value as StockChoices['format'] })}
        >
          {Object.entries(FORMATS).map(([format, name]) => (
            <option key={format} value={format}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          label="Letters"
          value={survey.encoding}
          onChange={(event) => void cut({ encoding: event.target.value as StockChoices['encoding'] })}
        >
          {ENCODINGS.map(([encoding, name]) => (
            <option key={encoding} value={encoding}>
              {name}
            </option>
          ))}
        </Select>
        {survey.format === 'delimited' && (
          <Select
            label="Between the columns"
            value={survey.delimiter}
            onChange={(event) => void cut({ delimiter: event.target.value as StockChoices['delimiter'] })}
          >
            {DELIMITERS.map(([delimiter, name]) => (
              <option key={delimiter} value={delimiter}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Field
          label="Written at"
          type="datetime-local"
          defaultValue={localOf(file.asOf)}
          onBlur={(event) => {
            const { value } = event.currentTarget;
            if (value !== '' && value !== localOf(file.asOf)) void choose({ asOf: new Date(value).toISOString() });
          }}
          hint="What was sold here since then is taken off its quantities."
        />
      </div>
      {survey.format === 'delimited' && survey.header.length > 0 && (
        <fieldset className="mt-5">
          <legend className="font-semibold">What the columns are</legend>
          <div className="mt-2 grid gap-4 sm:grid-cols-2">
            {survey.header.map((name, place) => (
              <Select
                // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
                key={`${place} ${name}`}
                label={name === '' ? `Column ${place + 1}` : name}
                value={survey.columns[place] ?? ''}
                onChange={(event) => void choose({ columns: columns(place, event.target.value) })}
              >
                <option value="">Not read</option>
                {STOCK_FIELD_NAMES.map((field) => (
                  <option key={field} value={field}>
                    {STOCK_FIELDS[field]}
                  </option>
                ))}
              </Select>
            ))}
          </div>
        </fieldset>
      )}
      <h4 className="mt-5 font-semibold">The first rows</h4>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        {survey.first.map((cells) => (
          <Sample key={JSON.stringify(cells)} cells={cells} />
        ))}
      </div>
      {survey.letters.length > 0 && (
        <>
          <h4 className="mt-5 font-semibold">Rows with letters by which you see whether it is read right</h4>
          <div className="mt-2 grid gap-3 sm:grid-cols-2">
            {survey.letters.map((cells) => (
              <Sample key={JSON.stringify(cells)} cells={cells} />
            ))}
          </div>
        </>
      )}
      {choices.columns !== undefined && <p className="mt-3 text-sm text-muted">The columns are as you chose them.</p>}
    </details>
  );
};

/** As a field for a time has it: in the reader's own zone, to the minute. */
const localOf = (iso: string): string => {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
