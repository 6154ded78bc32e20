import { describe, expect, it } from '@jest/globals';
import { toCsv } from './csv.ts';

const columns = [
  { title: 'Name', value: ({ name }: { name: string; price: number | null }) => name },
  { title: 'Price, $', value: ({ price }: { name: string; price: number | null }) => price },
];

describe('a CSV file', () => {
  it('quotes cells where necessary', () => {
    const rows = [
      { name: 'Drill "Max", 18 V', price: 12.5 },
      { name: 'Two\nlines', price: null },
      { name: 'Zoë', price: -3 },
    ];

    expect(toCsv(columns, rows)).toBe(
      '\uFEFFName,"Price, $"\r\n"Drill ""Max"", 18 V",12.5\r\n"Two\nlines",\r\nZoë,-3\r\n',
    );
  });

  it.each(['=1+1', '+1 503', '-2', '@SUM(A1)', '\tx', '\r=1', '＝1'])(
    'escapes a formula: %j',
    (name) => {
      const [, line = ''] = toCsv(columns, [{ name, price: 1 }]).split(/\r\n(?=.)/);

      expect(line.replace(/^"/, '')).toMatch(/^'/);
    },
  );
});
