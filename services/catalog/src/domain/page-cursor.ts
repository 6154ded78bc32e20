import { z } from 'zod';
import { cursorInvalid } from '../errors.ts';

/** `relevance` is the order of a name search for which no other is asked. */
export type ToolOrder = 'newest' | 'price' | 'rating' | 'distance' | 'relevance';

/** Where a page ended: the last tool's value in the order asked for, and its id among equals. */
export interface PageEnd {
  order: ToolOrder;
  key: number;
  id: string;
}

const fields = z.union([
  z.tuple([z.literal('price'), z.int32(), z.uuid()]),
  z.tuple([z.enum(['newest', 'rating', 'distance', 'relevance']), z.number(), z.uuid()]),
]);

export const writeCursor = ({ order, key, id }: PageEnd): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url');

/** @throws AppError 400 when the cursor is not one of ours, or was made for another order. */
export const readCursor = (cursor: string, order: ToolOrder): PageEnd => {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw cursorInvalid();
  }
  const parsed = fields.safeParse(json);
  if (!parsed.success || parsed.data[0] !== order) throw cursorInvalid();
  return { order, key: parsed.data[1], id: parsed.data[2] };
};
