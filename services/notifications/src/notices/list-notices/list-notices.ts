import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

export const listNotices = ({ notices }: Deps) =>
  handle(routes.myNotices, async ({ params, query }) => {
    const limit = query.limit ?? maxPageSize;
    const [found, unread] = await Promise.all([
      notices.list(params.userId, readCursor(query.cursor), limit + 1),
      notices.countUnread(params.userId),
    ]);
    const { items: notifications, nextCursor } = splitPage(found, limit);
    return { notifications, unread, nextCursor };
  });
