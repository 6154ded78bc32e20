import { isDuplicateKey, tooManyRequests } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';

interface Used {
  _id: string;
  count: number;
  endsAt: Date;
}

const dayMs = 86_400_000;

export type QuestionLimit = ReturnType<typeof createQuestionLimit>;

/** Limits how many questions a user may ask on one day (UTC). Those to owners from whom the user has booked or requested are not counted. */
export const createQuestionLimit = (connection: Connection, mostPerDay: number) => {
  const counts = connection.collection<Used>('question_counts');
  const threads = connection.collection('threads');

  return {
    /** @throws AppError TOO_MANY_REQUESTS */
    async spend({ ownerId, renterId }: { ownerId: string; renterId: string }): Promise<void> {
      const booked = { renterId, ownerId, question: { $exists: false } };
      if (await threads.findOne(booked, { projection: { _id: 1 } })) return;
      const endsAt = new Date((Math.floor(Date.now() / dayMs) + 1) * dayMs);
      const _id = `${renterId}:${endsAt.toISOString().slice(0, 10)}`;
      // A duplicate key means that there is no count below the limit, or that a concurrent question has just inserted it.
      for (let attempt = 1; attempt <= 2; attempt++) {
        try {
          await counts.updateOne(
            { _id, count: { $lt: mostPerDay } },
            { $inc: { count: 1 }, $setOnInsert: { endsAt } },
            { upsert: true },
          );
          return;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
      const waitMs = endsAt.getTime() - Date.now();
      throw tooManyRequests(waitMs / 1000, 'You have asked many owners today.');
    },
  };
};
