import { cursorInvalid } from '@lendtools/service-kit';
import { z } from 'zod';

/** `relevance` is the default sort order of a word search. */
export type ToolOrder = 'newest' | 'price' | 'rating' | 'distance' | 'relevance';

/** Tiers of relevance: the words as typed are in the name; a synonym or longer word is in the name; the words are anywhere. */
export const tiers = ['typed', 'named', 'somewhere'] as const;
export type WordMatch = (typeof tiers)[number] | 'words';

/** The last tool of a page: its sort value, and its id to break ties. */
export interface PageEnd {
  order: ToolOrder;
  match: WordMatch;
  key: number;
  id: string;
  /** Whether the search was corrected because no tool has the words as typed. */
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

/** @throws AppError 400 if the cursor is invalid or was made for another sort order */
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
  // A cursor contains a tier only when sorting by relevance: no other sort order is searched tier by tier.
  if ((order === 'relevance') !== (match !== 'words')) throw cursorInvalid();
  return { order, match, key, id, isMended };
};
