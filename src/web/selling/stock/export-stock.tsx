import { useId, useState } from 'react';
import { exportStock, type StockFormat } from '#contract/stock/stock-export.ts';
import { messageOf } from '#web/api/api-error.ts';
import { callFile } from '#web/api/call-file.ts';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { Select } from '#web/ui/field.tsx';

const FORMATS: readonly (readonly [StockFormat, name: string, about: string])[] = [
  ['csv', 'CSV, everything', 'All that is known of each book. Brought back it changes nothing.'],
  ['excel', 'CSV for a spreadsheet', 'The same, safe to open: no cell is taken for a formula.'],
  ['uiee', 'UIEE', 'For stock programs and routers.'],
  [
    'abebooks',
    'AbeBooks, tab-delimited',
    'A grade that AbeBooks does not know begins the description. Paused books are left out.',
  ],
  ['biblio', 'Biblio, tab-delimited', 'Paused books are left out.'],
];

/** All of a seller's stock as a file, in the format that is chosen. */
export const ExportStock = () => {
  const headingId = useId();
  const [format, setFormat] = useState<StockFormat>('csv');
  const [, , about] = FORMATS.find(([one]) => one === format) ?? [];
  return (
    <section aria-labelledby={headingId} className="mt-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <h2 id={headingId} className="font-serif text-xl font-semibold">
        Take your stock with you
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-muted">
        Every book on your shelf in one file, at any time. What you paid, shelves and private notes are in it, for you
        alone.
      </p>
      <div className="flex flex-col gap-4 sm:max-w-md">
        <Select
          label="Format of the file"
          value={format}
          hint={about}
          onChange={(event) => setFormat(FORMATS.find(([one]) => one === event.target.value)?.[0] ?? 'csv')}
        >
          {FORMATS.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </Select>
        <DownloadButton label="Download" read={() => callFile(exportStock, { format })} say={messageOf} />
      </div>
    </section>
  );
};
