import { routes } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import { faultPoint, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import { isDisputed } from '../allocation-repository.ts';
import { bookingAccepted } from '../booking-events.ts';
import { renewVersion } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import { saveAcceptedChange } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { accept } from '../domain/booking.ts';
import { changeInDispute } from '../errors.ts';
import { asRequest, lockChangeRequest } from '../lock-change-request.ts';
import { databaseNow } from '../purchase-repository.ts';
import { applyChange } from '../settle-change.ts';

/** `POST …/accept-change/:id`: a change that costs more applies once its card is charged, any other one immediately. */
export const acceptChange = ({ pool }: Deps) =>
  handle(routes.acceptChange, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const asked = { id: params.id, changeId: body.changeId };
      const { booking, hold, change, by } = await lockChangeRequest(tx, asked, user);
      if (by !== 'owner') throw forbidden();
      if (change.acceptedAt) return;
      accept(asRequest(change), by, await databaseNow(tx));
      // A dispute that arrived as an event has ended the change request. One that reconciliation found has not.
      if (await isDisputed(tx, booking.id)) throw changeInDispute();
      const accepted = await saveAcceptedChange(tx, change);
      if (hold) await addToOutbox(tx, bookingAccepted(await renewVersion(tx, booking), hold.id));
      else await applyChange(tx, booking, accepted);
      await faultPoint('acceptChange.beforeCommit');
    });
    await faultPoint('acceptChange.beforeReply');
    return { rental: await readBooking(pool, params.id, user) };
  });
