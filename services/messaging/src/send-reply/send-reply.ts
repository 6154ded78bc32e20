import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { mayTakePart, recipientsOf } from '../domain/thread.ts';
import { messageNotFound } from '../errors.ts';
import { authorNames, saidData, toReplyReply } from '../said.ts';

/** Replies are possible once the thread has its first message: a reply names it. Both parties get what an admin writes. */
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
      // The message is the thread's version 1.
      events: (said) =>
        recipientsOf(thread, user.userId).map((toUserId) =>
          newEvent(
            'ReplySent',
            { id: said.bookingId, version: said.place + 1 },
            {
              replyId: said.id,
              messageId: said.messageId,
              ...saidData(thread, said, { names, toUserId }),
            },
          ),
        ),
    });
    return { reply: toReplyReply(reply, names) };
  });
