import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { mayTakePart } from '../domain/thread.ts';
import { threadNotFound } from '../errors.ts';
import { findThread } from '../find-thread.ts';
import { toThreadMessage } from '../said.ts';

/** The documented list has one message or none. */
export const getMessages = (deps: Deps) =>
  handle(routes.myMessages, async ({ params, user }) => {
    const thread = await findThread(deps, params.bookingId);
    if (!mayTakePart(thread, user)) throw threadNotFound();
    const message = await deps.threads.findMessageOfBooking(thread.bookingId);
    if (!message) return { messaging: [] };
    const names = await deps.people.names([message.fromUserId]);
    return { messaging: [toThreadMessage(message, names(message.fromUserId))] };
  });
