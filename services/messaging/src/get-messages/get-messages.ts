import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { threadNotFound } from '../domain/errors.ts';
import { partiesOf } from '../domain/thread.ts';
import { findThread } from '../find-thread.ts';
import { shownNames, toThreadMessage } from '../message-view.ts';

/** Returns a thread's first message as a list of one message or none, as documented. */
export const getMessages = (deps: Deps) =>
  handle(routes.myMessages, async ({ params, allow }) => {
    const thread = await findThread(deps, params.bookingId);
    const answer = allow(partiesOf(thread), threadNotFound);
    const message = await deps.threads.findMessageOfBooking(thread.bookingId);
    if (!message) return answer({ messaging: [] });
    const namesOf = await deps.people.names([message.fromUserId]);
    const names = shownNames(thread, message.fromUserId, namesOf);
    return answer({ messaging: [toThreadMessage(message, names)] });
  });
