import { type Notice, routes } from '@lendtools/contracts';
import { handle, waitUntil } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { bookingNotFound } from '../../domain/errors.ts';

/** Clients written to the API documentation request notices after an event. The event creates them; this route only returns them. */
const answer = (notifications: Notice[]) => ({ message: 'Notification sent', notifications });

/** How long a call waits for the booking's event, which may arrive after the call. */
const patience = { forMs: 1_000 };

const noticesOfBookings = async (
  { bookings, notices }: Deps,
  by: { renterId: string; ownerId: string; toolName?: string },
) => {
  const rented = await waitUntil(
    () => bookings.findRented(by),
    (found) => found.length > 0,
    patience,
  );
  if (rented.length === 0) throw bookingNotFound();
  const ids = rented.map((booking) => booking._id);
  return answer(await notices.findOfBookings(by.ownerId, ids));
};

export const sendNotification = (deps: Deps) =>
  handle(routes.sendNotification, ({ body, user }) =>
    noticesOfBookings(deps, {
      renterId: user.userId,
      ownerId: body.toolOwner_id,
      toolName: body.bookingName,
    }),
  );

export const addNotification = (deps: Deps) =>
  handle(routes.addNotification, ({ params, user }) =>
    noticesOfBookings(deps, { renterId: user.userId, ownerId: params.ownerId }),
  );

/** `userId` is the recipient of the caller's messages; the caller's own id stands for all recipients. */
export const sendMessagingNotification = (deps: Deps) =>
  handle(routes.sendMessagingNotification, async ({ body, user }) => {
    const areParties = await waitUntil(
      () => deps.bookings.areParties(user.userId, body.userId),
      (found) => found,
      patience,
    );
    if (!areParties) throw bookingNotFound();
    const to = body.userId === user.userId ? undefined : body.userId;
    return answer(await deps.notices.findOfMessages(user.userId, to));
  });
