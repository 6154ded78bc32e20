import type { Answer } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { type Identity, recordAct } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { messageNotFound, threadClosed } from './domain/errors.ts';
import { type Message, recipientsOf, type Thread } from './domain/thread.ts';
import { isClosedFor } from './is-closed-for.ts';
import { sentData, shownNames, toReplyReply } from './message-view.ts';

interface NewReply {
  messageId: string;
  user: Identity;
  text: string;
  key: string | undefined;
  answer?: Answer;
}

/**
 * Adds a reply to the thread of a first message, and returns it as its author reads it.
 * @param mayWrite decides whether the author may reply in the thread
 * @throws AppError MESSAGE_NOT_FOUND, also for a user who may not reply; THREAD_CLOSED
 */
export const addReply = async (
  deps: Deps,
  { messageId, user, text, key, answer }: NewReply,
  mayWrite: (thread: Thread) => boolean,
) => {
  const [message, lastPlace, namesOf] = await Promise.all([
    deps.threads.findMessage(messageId),
    deps.replies.findLastPlace(messageId),
    deps.people.names([user.userId]),
  ]);
  if (!message || !mayWrite(message.thread)) throw messageNotFound();
  await recordAct();
  const { thread } = message;
  const names = shownNames(thread, user.userId, namesOf);
  if (await isClosedFor(deps, thread, user.userId)) {
    const sentBefore = await deps.replies.findSent(messageId, {
      fromUserId: user.userId,
      text,
      key,
    });
    if (!sentBefore) throw threadClosed();
    return toReplyReply(thread, sentBefore, names);
  }
  const reply = await deps.replies.add(message, {
    fromUserId: user.userId,
    text,
    key,
    lastPlace,
    ...(answer && { answer }),
    // A thread's version 1 is its first message, so its first reply has version 2.
    events: (sent) =>
      recipientsOf(thread, user.userId).map((toUserId) =>
        newEvent(
          'ReplySent',
          { id: sent.bookingId, version: sent.place + 1 },
          {
            replyId: sent.id,
            messageId: sent.messageId,
            ...(answer && { answer }),
            ...sentData(thread, sent, { names, toUserId }),
          },
        ),
      ),
  });
  void touch(deps, message, reply);
  return toReplyReply(thread, reply, names);
};

/** The order of a user's threads is not worth a failed or slower reply: the next one corrects it. */
const touch = (
  { threads, logger }: Deps,
  { thread }: Message,
  sent: { fromUserId: string; text: string; createdAt: Date },
): Promise<void> =>
  threads.noteLast(thread, sent).catch((err) => {
    logger.warn({ err }, 'the last message of a thread was not noted');
  });
