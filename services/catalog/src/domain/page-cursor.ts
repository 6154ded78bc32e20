import { cursorInvalid } from '@lendtools/service-kit';
import { z } from 'zod';

/** `relevance` is the default order of a word search. */
export type ToolOrder = 'newest' | 'price' | 'rating' | 'distance' | 'relevance';

/**
 * Tiers of relevance: the name has the words as typed; the name has a synonym or a word that starts with the typed
 * one; the words are anywhere. Other orders search all tiers as one, `words`.
 */
export const tiers = ['typed', 'named', 'somewhere'] as const;
export type WordMatch = (typeof tiers)[number] | 'words';

/** The last tool of a page: its sort value, and its id to break ties. */
export interface PageEnd {
  order: ToolOrder;
  match: WordMatch;
  key: number;
  id: string;
  /** The page belongs to a corrected search, because no tool has the words as typed. */
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
  // A cursor of a version that ranked differently.
  if ((order === 'relevance') !== (match !== 'words')) throw cursorInvalid();
  return { order, match, key, id, isMended };
};
