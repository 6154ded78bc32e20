import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

/** Sets a tool's rating. Each event carries the sums over all of the tool's reviews, so only the latest version counts. */
export const rateToolWhenReviewAdded = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.rate-tool-when-review-added', pool, async (event, tx) => {
    const { toolId, toolRatingCount, toolRatingSum } = event.data;
    await tx.query(
      `UPDATE tools SET rating_count = $2, rating_sum = $3, rating_version = $4
       WHERE id = $1 AND rating_version < $4`,
      [toolId, toolRatingCount, toolRatingSum, event.version],
    );
  });
