import { maxPageSize, routes } from '@lendtools/contracts';
import { cursorInvalid, handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import type { ThreadPosition } from '../store/thread-repository.ts';
import { viewThreads } from '../thread-view.ts';

export const listMyThreads = (deps: Deps) =>
  handle(routes.myThreads, async ({ params: { userId }, query }) => {
    const limit = query.limit ?? maxPageSize;
    const found = await deps.threads.listThreads(userId, readCursor(query.cursor), limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      threads: await viewThreads(deps, page, userId),
      nextCursor:
        found.length > limit && last?.last ? `${last.last.at.getTime()}_${last.bookingId}` : null,
    };
  });

const readCursor = (cursor: string | undefined): ThreadPosition | undefined => {
  if (cursor === undefined) return undefined;
  const [, ms, threadId] = /^(\d{1,15})_([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!ms || !threadId) throw cursorInvalid();
  return { at: new Date(Number(ms)), threadId };
};
