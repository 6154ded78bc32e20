import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { mayTakePart, recipientsOf } from '../domain/thread.ts';
import { messageNotFound } from '../errors.ts';
import { authorNames, sentData, toReplyReply } from '../said.ts';

/** Adds a reply to a thread's first message, which the path names. An admin's reply goes to both parties. */
export const sendReply = (deps: Deps) =>
  handle(routes.sendReply, async ({ params, body, user, idempotencyKey }) => {
    const [message, lastPlace, namesOf] = await Promise.all([
      deps.threads.findMessage(params.messageId),
      deps.threads.findLastPlace(params.messageId),
      deps.people.names([user.userId]),
    ]);
    if (!message || !mayTakePart(message.thread, user)) throw messageNotFound();
    const { thread } = message;
    const names = authorNames(thread, user.userId, namesOf);
    const reply = await deps.threads.addReply(message, {
      fromUserId: user.userId,
      text: body.message,
      key: idempotencyKey,
      lastPlace,
      // Version 1 is the first message, so replies start at 2.
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
