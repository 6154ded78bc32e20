import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { searchReviews } from '../../store/review-search.ts';

export const listAllReviews = ({ pool }: Deps) =>
  handle(routes.listedReviews, async ({ query, user }) => {
    const { limit = maxPageSize, cursor, q, stars } = query;
    const { reviews, ...total } = await searchReviews(pool, {
      viewerId: user.userId,
      q: q ?? null,
      stars: stars ?? null,
      before: readCursor(cursor) ?? null,
      limit: limit + 1,
    });
    const { items, nextCursor } = splitPage(reviews, limit);
    return { reviews: items, ...total, nextCursor };
  });
