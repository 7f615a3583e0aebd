import { formatCount } from '#contract/count.ts';
import type { StockAction, StockCounts, StockFile } from '#contract/stock/stock-files.ts';

/** What rows come to, in the order in which it is shown. */
export const ACTIONS: readonly (readonly [StockAction, string])[] = [
  ['refused', 'Refused'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['gone', 'Gone'],
  ['unchanged', 'Unchanged'],
  ['again', 'Same row again'],
];

export const copies = (count: number): string => (count === 1 ? 'one copy' : `${formatCount(count)} copies`);

/** What a file does to copies, in a sentence; undefined where it does nothing. */
export const deedOf = ({ added, changed, withdrawn }: StockCounts, isDone: boolean): string | undefined => {
  const parts = [
    ...(added > 0 ? [`${isDone ? 'added' : 'adds'} ${copies(added)}`] : []),
    ...(changed > 0 ? [`${isDone ? 'changed' : 'changes'} ${copies(changed)}`] : []),
    ...(withdrawn > 0 ? [`${isDone ? 'took' : 'takes'} ${copies(withdrawn)} away`] : []),
  ];
  return parts.length === 0 ? undefined : `It ${new Intl.ListFormat('en-GB').format(parts)}.`;
};

export const FORMATS: Record<NonNullable<StockFile['survey']>['format'], string> = {
  uiee: 'UIEE',
  delimited: 'A table',
  'isbn-list': 'A list of ISBNs',
};

export const DELIMITERS = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar |'],
  ['~', 'Tilde ~'],
] as const;

export const ENCODINGS = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252 (Latin 1)'],
  ['utf-16le', 'UTF-16, little end first'],
  ['utf-16be', 'UTF-16, big end first'],
] as const;
