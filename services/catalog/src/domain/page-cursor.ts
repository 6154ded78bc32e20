import { cursorInvalid } from '@lendtools/service-kit';
import { z } from 'zod';

/** `relevance` is the order of a search for words for which no other is asked. */
export type ToolOrder = 'newest' | 'price' | 'rating' | 'distance' | 'relevance';

/**
 * The tools that have the words, the likeliest first: in the name as typed, in the name by another name of the same
 * thing or begun only, or somewhere. An order other than by relevance takes all of them as one, `words`.
 */
export const tiers = ['typed', 'named', 'somewhere'] as const;
export type WordMatch = (typeof tiers)[number] | 'words';

/** Where a page ended: the last tool's value in the order asked for, and its id among equals. */
export interface PageEnd {
  order: ToolOrder;
  match: WordMatch;
  key: number;
  id: string;
  /** The page is of what was meant, because nothing has the words as typed. */
  isMended: boolean;
}

const match = z.enum([...tiers, 'words']);
const isMended = z.literal(true).optional();
const fields = z.union([
  z.tuple([z.literal('price'), match, z.int32(), z.uuid(), isMended]),
  z.tuple([
    z.enum(['newest', 'rating', 'distance', 'relevance']),
    match,
    z.number(),
    z.uuid(),
    isMended,
  ]),
]);

export const writeCursor = ({ order, match, key, id, isMended }: PageEnd): string =>
  Buffer.from(JSON.stringify([order, match, key, id, ...(isMended ? [true] : [])])).toString(
    'base64url',
  );

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
  const [, match, key, id, isMended = false] = parsed.data;
  // A replica of the version before ranked otherwise.
  if ((order === 'relevance') !== (match !== 'words')) throw cursorInvalid();
  return { order, match, key, id, isMended };
};
