import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { threadClosed, threadNotFound } from '../domain/errors.ts';
import { partiesOf, recipientsOf } from '../domain/thread.ts';
import { findThread } from '../find-thread.ts';
import { isClosedFor } from '../is-closed-for.ts';
import { sentData, shownNames, toThreadMessage } from '../message-view.ts';

/** The sender is the token's user, whatever the body contains. */
export const sendMessage = (deps: Deps) =>
  handle(routes.sendMessage, async ({ params, body, user, allow, idempotencyKey }) => {
    const thread = await findThread(deps, params.bookingId);
    const authors = thread.toolId ? [thread.renterId] : partiesOf(thread);
    const answer = allow(authors, threadNotFound);
    if (await isClosedFor(deps, thread, user.userId)) {
      // A repeat returns the message that was sent before the thread was closed.
      if (!(await deps.threads.findSent(user.userId, idempotencyKey))) throw threadClosed();
    }
    const namesOf = await deps.people.names([user.userId]);
    const names = shownNames(thread, user.userId, namesOf);
    const message = await deps.threads.addMessage(thread, {
      fromUserId: user.userId,
      text: body.message,
      key: idempotencyKey,
      events: (sent) =>
        recipientsOf(thread, user.userId).map((toUserId) =>
          newEvent(
            'MessageSent',
            { id: thread.bookingId, version: 1 },
            { messageId: sent.id, ...sentData(thread, sent, { names, toUserId }) },
          ),
        ),
    });
    return answer({ messaging: toThreadMessage(message, names) });
  });
