import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { messageNotFound } from '../domain/errors.ts';
import { mayTakePart, recipientsOf } from '../domain/thread.ts';
import { authorNames, sentData, toReplyReply } from '../message-view.ts';

/** The path contains the id of the thread's first message. An admin's reply goes to both parties. */
export const sendReply = (deps: Deps) =>
  handle(routes.sendReply, async ({ params, body, user, idempotencyKey }) => {
    const [message, lastPlace, namesOf] = await Promise.all([
      deps.threads.findMessage(params.messageId),
      deps.replies.findLastPlace(params.messageId),
      deps.people.names([user.userId]),
    ]);
    if (!message || !mayTakePart(message.thread, user)) throw messageNotFound();
    const { thread } = message;
    const names = authorNames(thread, user.userId, namesOf);
    const reply = await deps.replies.add(message, {
      fromUserId: user.userId,
      text: body.message,
      key: idempotencyKey,
      lastPlace,
      // A thread's version 1 is its first message, so its first reply has version 2.
      events: (sent) =>
        recipientsOf(thread, user.userId).map((toUserId) =>
          newEvent(
            'ReplySent',
            { id: sent.bookingId, version: sent.place + 1 },
            {
              replyId: sent.id,
              messageId: sent.messageId,
              ...sentData(thread, sent, { names, toUserId }),
            },
          ),
        ),
    });
    return { reply: toReplyReply(reply, names) };
  });
