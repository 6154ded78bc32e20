import { id } from '@lendtools/contracts';
import { AppError } from '@lendtools/service-kit';

/** A cursor is the last id of the page before: ids are UUIDv7, and so in the order of time. */
export const readCursor = (cursor: string | undefined): string | null => {
  if (cursor === undefined || cursor === '') return null;
  const parsed = id.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_FAILED', 400, 'This page does not exist.', { path: 'cursor' });
};

/** Of `limit + 1` rows, the page and where the next begins. */
export const splitPage = <T extends { id: string }>(
  rows: T[],
  limit: number,
): { items: T[]; nextCursor: string | null } => {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
};
