import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { noticeNotFound } from '../../domain/errors.ts';

/** Marks a notice as read. Replies 404 for another user's notice. */
export const readNotice = ({ notices }: Deps) =>
  handle(routes.readNotice, async ({ params }) => {
    const notification = await notices.markRead(params.userId, params.id);
    if (!notification) throw noticeNotFound();
    return { notification };
  });

export const readAllNotices = ({ notices }: Deps) =>
  handle(routes.readAllNotices, async ({ params, query }) => {
    await notices.markAllRead(params.userId, query.bookingId);
    return { unread: await notices.countUnread(params.userId) };
  });
