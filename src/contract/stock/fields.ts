/** What a row of a stock file may say of a copy, with the name that sellers read. Cells are text as in the file. */
export const STOCK_FIELDS = {
  sku: 'SKU',
  title: 'Title',
  author: 'Author',
  isbn: 'ISBN',
  price: 'Price',
  currency: 'Currency',
  quantity: 'Quantity',
  status: 'Status',
  description: 'Description',
  condition: 'Condition',
  jacket: 'Jacket',
  binding: 'Binding',
  edition: 'Edition',
  printing: 'Printing',
  signed: 'Signed',
  first: 'First edition',
  publisher: 'Publisher',
  year: 'Year',
  language: 'Language',
  pages: 'Pages',
  category: 'Category',
  image: 'Picture',
  location: 'Place of the copy',
  phone: 'Phone',
  original_price: 'Price when new',
  years_of_use: 'Years of use',
  shelf: 'Shelf (private)',
  cost: 'What you paid (private)',
  note: 'Note (private)',
} as const;
export type StockField = keyof typeof STOCK_FIELDS;

/** The fields, in the order in which they are shown and written. */
export const STOCK_FIELD_NAMES = Object.keys(STOCK_FIELDS) as StockField[];

/** The cells of a row by what they are; a field that is not there is not said. */
export type StockCells = Partial<Record<StockField, string>>;

/** What a word in the status column means. */
export type StatusMeaning = 'sale' | 'pause' | 'gone';
