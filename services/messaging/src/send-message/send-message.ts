import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { partiesOf, recipientsOf } from '../domain/thread.ts';
import { threadNotFound } from '../errors.ts';
import { findThread } from '../find-thread.ts';
import { saidData, toThreadMessage } from '../said.ts';

/** The first message is possible only while there is none. The sender is the token's, whatever the body says. */
export const sendMessage = (deps: Deps) =>
  handle(routes.sendMessage, async ({ params, body, user, allow, idempotencyKey }) => {
    const thread = await findThread(deps, params.bookingId);
    const answer = allow(partiesOf(thread), threadNotFound);
    const names = (await deps.people.names([user.userId]))(user.userId);
    const message = await deps.threads.addMessage(thread, {
      fromUserId: user.userId,
      text: body.message,
      key: idempotencyKey,
      events: (said) =>
        recipientsOf(thread, user.userId).map((toUserId) =>
          newEvent(
            'MessageSent',
            { id: thread.bookingId, version: 1 },
            { messageId: said.id, ...saidData(thread, said, { names, toUserId }) },
          ),
        ),
    });
    return answer({ messaging: toThreadMessage(message, names) });
  });
