import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { searchAllTools } from '../../store/all-tools-search.ts';

export const listAllTools = ({ pool }: Deps) =>
  handle(routes.listedTools, async ({ query }) => {
    const { limit = maxPageSize, cursor, q, state } = query;
    const { tools, ...total } = await searchAllTools(pool, {
      q: q || null,
      isOffered: state === undefined ? null : state === 'offered',
      before: readCursor(cursor) ?? null,
      limit: limit + 1,
    });
    const { items, nextCursor } = splitPage(tools, limit);
    return { tools: items, ...total, nextCursor };
  });
