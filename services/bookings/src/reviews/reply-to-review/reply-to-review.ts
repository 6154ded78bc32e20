import { routes } from '@lendtools/contracts';
import { handle, inTransaction, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { reviewNotFound, reviewReplied } from '../../domain/errors.ts';
import { saveReply } from '../../store/review-repository.ts';
import { reviewsAnHour } from '../limit-reviews.ts';

/** Adds the one public reply of the reviewed person to a review that has appeared. */
export const replyToReview = ({ pool, config }: Deps) =>
  handle(routes.replyToReview, ({ user, params, body: { text } }) =>
    inTransaction(pool, async (tx) => {
      const saved = await saveReply(tx, { reviewId: params.id, userId: user.userId, text });
      if (!saved) throw reviewNotFound();
      if (saved.before === null)
        await spend(tx, user.userId, reviewsAnHour(config.RATE_LIMIT_FACTOR));
      else if (saved.before !== text) throw reviewReplied();
      return { message: 'Your reply is published.' };
    }),
  );
