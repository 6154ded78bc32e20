export interface CsvColumn<Row> {
  title: string;
  value: (row: Row) => string | number | null;
}

/** Characters that make a spreadsheet run a cell as a formula, for example in a user's name. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

const cell = (value: string | number | null): string => {
  if (value === null) return '';
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvLine = (values: (string | number | null)[]): string => `${values.map(cell).join(',')}\r\n`;

/** The first line of a CSV file, with a byte order mark so that Excel reads it as UTF-8. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  `\uFEFF${csvLine(columns.map(({ title }) => title))}`;

export const csvLines = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  rows.map((row) => csvLine(columns.map(({ value }) => value(row)))).join('');

/** Writes CSV by RFC 4180. */
export const toCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  csvHead(columns) + csvLines(columns, rows);
