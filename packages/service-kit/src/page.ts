import { id } from '@lendtools/contracts';
import { cursorInvalid } from './errors.ts';

/**
 * The cursor of a list that is newest first: the last id of the page before. Ids are UUIDv7, and so ordered by time.
 * @returns undefined for the first page
 * @throws AppError CURSOR_INVALID when it is none
 */
export const readCursor = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined || cursor === '') return undefined;
  const parsed = id.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw cursorInvalid();
};

/** Of `limit + 1` rows, the page and the cursor of the next; null after the last. */
export const splitPage = <T extends { id: string }>(
  rows: T[],
  limit: number,
): { items: T[]; nextCursor: string | null } => {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
};
