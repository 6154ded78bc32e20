import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { partiesOf } from '../domain/thread.ts';
import { threadNotFound } from '../errors.ts';
import { findThread } from '../find-thread.ts';
import { toThreadMessage } from '../said.ts';

/** The documented reply is a list, of one message or none. */
export const getMessages = (deps: Deps) =>
  handle(routes.myMessages, async ({ params, allow }) => {
    const thread = await findThread(deps, params.bookingId);
    const answer = allow(partiesOf(thread), threadNotFound);
    const message = await deps.threads.findMessageOfBooking(thread.bookingId);
    if (!message) return answer({ messaging: [] });
    const names = await deps.people.names([message.fromUserId]);
    return answer({ messaging: [toThreadMessage(message, names(message.fromUserId))] });
  });
