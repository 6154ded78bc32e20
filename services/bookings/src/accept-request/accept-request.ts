import { routes } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import { faultPoint, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import { bookingAccepted } from '../booking-events.ts';
import { saveAcceptance } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { accept } from '../domain/booking.ts';
import { lockRequest } from '../lock-request.ts';
import { databaseNow } from '../purchase-repository.ts';

/** `POST …/accept-request/:id`: the request can no longer be declined or withdrawn, and payments charges the card. */
export const acceptRequest = ({ pool }: Deps) =>
  handle(routes.acceptRequest, async ({ user, params }) => {
    await inTransaction(pool, async (tx) => {
      const { request, hold, by } = await lockRequest(tx, params.id, user);
      if (by !== 'owner') throw forbidden();
      if (request.acceptedAt) return;
      accept(request, by, await databaseNow(tx));
      await addToOutbox(tx, bookingAccepted(await saveAcceptance(tx, request), hold.id));
      await faultPoint('accept.beforeCommit');
    });
    await faultPoint('accept.beforeReply');
    return { rental: await readBooking(pool, params.id, user) };
  });
