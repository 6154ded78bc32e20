import { describe, expect, it } from '@jest/globals';
import { readCursor, writeCursor } from './page-cursor.ts';

const id = '019a0000-0000-7000-8000-000000000000';
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('readCursor', () => {
  it('reads a cursor that writeCursor wrote', () => {
    const end = {
      order: 'distance',
      match: 'words',
      key: 1234.000000001,
      id,
      isMended: false,
    } as const;
    const mended = { ...end, order: 'relevance', match: 'named', isMended: true } as const;

    expect(readCursor(writeCursor(end), 'distance')).toEqual(end);
    expect(readCursor(writeCursor(mended), 'relevance')).toEqual(mended);
  });

  it.each(['words', 'alike'])(
    'rejects a cursor for the order by relevance that has %s in place of a tier',
    (match) => {
      expect(() => readCursor(encode(['relevance', match, 0, id]), 'relevance')).toThrow(
        expect.objectContaining({ code: 'CURSOR_INVALID' }),
      );
    },
  );

  it.each([
    ['no JSON', 'nonsense'],
    ['nothing', ''],
    ['another order', encode(['rating', 'words', 4, id])],
    ['a key that is not a number', encode(['price', 'words', '1; DROP TABLE tools', id])],
    ['a fractional price', encode(['price', 'words', 1.5, id])],
    ['a price above the maximum', encode(['price', 'words', 1e12, id])],
    ['no id', encode(['price', 'words', 1, 'x'])],
    ['an unknown match', encode(['price', 'all', 1, id])],
    ['a tier in an order without tiers', encode(['price', 'typed', 1, id])],
    ['an object', encode({ order: 'price' })],
  ])('rejects a cursor with %s', (_what, cursor) => {
    expect(() => readCursor(cursor, 'price')).toThrow(
      expect.objectContaining({ code: 'CURSOR_INVALID', status: 400 }),
    );
  });
});
