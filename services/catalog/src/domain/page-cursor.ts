import { z } from 'zod';
import { cursorInvalid } from '../errors.ts';

/** `relevance` is the order of a name search for which no other is asked. */
export type ToolOrder = 'newest' | 'price' | 'rating' | 'distance' | 'relevance';

/** Names that hold every word that was typed, or, where there are none, names that are like them. */
export type NameMatch = 'words' | 'alike';

/** Where a page ended: the last tool's value in the order asked for, and its id among equals. */
export interface PageEnd {
  order: ToolOrder;
  match: NameMatch;
  key: number;
  id: string;
}

const match = z.enum(['words', 'alike']);
const fields = z.union([
  z.tuple([z.literal('price'), match, z.int32(), z.uuid()]),
  z.tuple([z.enum(['newest', 'rating', 'distance', 'relevance']), match, z.number(), z.uuid()]),
]);

export const writeCursor = ({ order, match, key, id }: PageEnd): string =>
  Buffer.from(JSON.stringify([order, match, key, id])).toString('base64url');

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
  const [, match, key, id] = parsed.data;
  return { order, match, key, id };
};
