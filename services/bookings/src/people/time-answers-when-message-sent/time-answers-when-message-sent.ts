import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Db } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** Records when questions about tools are sent and first answered by the owner, for the owner's public page. */
export const timeAnswersWhenMessageSent = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.time-answers-when-message-sent', pool, async (event, tx) => {
    if (event.type === 'ThreadChanged') {
      const { questionId: threadId, ownerId } = event.data;
      if (threadId) await save(tx, { threadId, ownerId, isContinued: true });
      return;
    }
    const { bookingId: threadId, question, fromUserId, sentAt } = event.data;
    if (!question) return;
    const { ownerId } = question;
    if (event.type === 'MessageSent')
      await save(tx, { threadId, ownerId, renterId: fromUserId, sentAt });
    else if (fromUserId === ownerId) await save(tx, { threadId, ownerId, answeredAt: sentAt });
  });

interface Fact {
  threadId: string;
  ownerId: string;
  renterId?: string;
  sentAt?: string;
  answeredAt?: string;
  isContinued?: boolean;
}

/**
 * Upserts one fact of a question. The events may arrive in any order. Ignores threads that are too old to count: their row may
 * be purged.
 */
const save = async (
  db: Db,
  { threadId, ownerId, renterId, sentAt, answeredAt, isContinued = false }: Fact,
): Promise<void> => {
  await db.query(
    `INSERT INTO question_answers AS q (thread_id, owner_id, renter_id, sent_at, answered_at, is_continued)
     SELECT $1::uuid, $2::uuid, $3::uuid, $4::timestamptz, $5::timestamptz, $6::boolean
     WHERE uuid_extract_timestamp($1) > now() - interval '30 days'
     ON CONFLICT (thread_id) DO UPDATE SET renter_id = coalesce(q.renter_id, EXCLUDED.renter_id),
       sent_at = least(q.sent_at, EXCLUDED.sent_at),
       answered_at = least(q.answered_at, EXCLUDED.answered_at), is_continued = q.is_continued OR EXCLUDED.is_continued`,
    [threadId, ownerId, renterId ?? null, sentAt ?? null, answeredAt ?? null, isContinued],
  );
};
