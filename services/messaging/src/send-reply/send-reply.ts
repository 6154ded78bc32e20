import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { isParty } from '../domain/thread.ts';
import { messageNotFound } from '../errors.ts';
import { saidData, toReplyReply } from '../said.ts';

/** Replies are possible once the thread has its first message: a reply names it. */
export const sendReply = (deps: Deps) =>
  handle(routes.sendReply, async ({ params, body, user, idempotencyKey }) => {
    const [message, lastPlace, namesOf] = await Promise.all([
      deps.threads.findMessage(params.messageId),
      deps.threads.findLastPlace(params.messageId),
      deps.people.names([user.userId]),
    ]);
    if (!message || !isParty(message.thread, user.userId)) throw messageNotFound();
    const names = namesOf(user.userId);
    const reply = await deps.threads.addReply(message, {
      fromUserId: user.userId,
      text: body.message,
      key: idempotencyKey,
      lastPlace,
      events: (said) => [
        newEvent(
          'ReplySent',
          // The message is the thread's version 1.
          { id: said.bookingId, version: said.place + 1 },
          {
            replyId: said.id,
            messageId: said.messageId,
            ...saidData(message.thread, said, names),
          },
        ),
      ],
    });
    return { reply: toReplyReply(reply, names) };
  });
