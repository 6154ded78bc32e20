import { id, type ListTotal } from '@lendtools/contracts';
import type { Db } from './database.ts';
import { cursorInvalid } from './errors.ts';

/**
 * A cursor is the last id of the previous page; UUIDv7 ids are ordered by time.
 * @throws AppError CURSOR_INVALID
 */
export const readCursor = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined || cursor === '') return undefined;
  const parsed = id.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw cursorInvalid();
};

/** Splits `limit + 1` rows into a page and the cursor of the next page, null if there is none. */
export const splitPage = <T extends { id: string }>(
  rows: T[],
  limit: number,
): { items: T[]; nextCursor: string | null } => {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
};

/** Filtered lists are counted up to this number, because an exact count could read most of the table. */
const mostCounted = 10_000;

/** @param rows the text after SELECT, without a LIMIT */
export const countListed = async (
  db: Db,
  { rows, values, isNarrowed }: { rows: string; values: unknown[]; isNarrowed: boolean },
): Promise<ListTotal> => {
  const { rows: counts } = await db.query<{ count: number }>(
    `SELECT count(*) FROM (SELECT ${rows} LIMIT $${values.length + 1}) listed`,
    [...values, isNarrowed ? mostCounted + 1 : null],
  );
  const total = counts[0]?.count ?? 0;
  return isNarrowed && total > mostCounted
    ? { total: mostCounted, isTotalCapped: true }
    : { total };
};
