import { id, maxPageSize, routes } from '@lendtools/contracts';
import { AppError, handle } from '@lendtools/service-kit';
import type { NotificationsDeps } from '../app.ts';

/** Newest first. A cursor is the id of the last notice of the page before; ids grow with time. */
export const listNotices = ({ notices }: NotificationsDeps) =>
  handle(routes.myNotices, async ({ params, query }) => {
    const limit = query.limit ?? maxPageSize;
    const [found, unread] = await Promise.all([
      notices.list(params.userId, readCursor(query.cursor), limit + 1),
      notices.countUnread(params.userId),
    ]);
    const notifications = found.slice(0, limit);
    const nextCursor = found.length > limit ? (notifications.at(-1)?.id ?? null) : null;
    return { notifications, unread, nextCursor };
  });

const readCursor = (cursor: string | undefined): string | undefined => {
  const parsed = id.optional().safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_FAILED', 400, 'This page does not exist.', { path: 'cursor' });
};
