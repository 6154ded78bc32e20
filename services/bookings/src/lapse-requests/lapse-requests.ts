import { inTransaction, type Pool } from '@lendtools/service-kit';
import { bookingsOfHold } from '../booking-repository.ts';
import { findUnansweredChanges } from '../change-request-repository.ts';
import { hasLapsed } from '../domain/booking.ts';
import { lapse } from '../domain/purchase.ts';
import { asRequest, endChangeRequest, lockUnanswered } from '../lock-change-request.ts';
import { databaseNow, lockUnansweredHolds } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';
import { hasLostTool } from '../tool-repository.ts';

/** Ends the requests that nobody answered in time, and those whose tool is gone. Safe on several replicas at once. */
export const lapseRequests = async (pool: Pool): Promise<void> => {
  let ended: number;
  do {
    ended = await inTransaction(pool, async (tx) => {
      const now = await databaseNow(tx);
      let count = 0;
      for (const hold of await lockUnansweredHolds(tx)) {
        // Read again under the lock: the owner may have accepted while this was looked for.
        const requests = await bookingsOfHold(tx, hold.id);
        const isOver = requests.every((request) => hasLapsed(request, now));
        const isAccepted = requests.some(({ acceptedAt }) => acceptedAt);
        if (isAccepted || !(isOver || (await hasLostTool(tx, hold)))) continue;
        await advanceHold(tx, hold, { type: 'RequestEnded', ...lapse });
        count += 1;
      }
      return count;
    });
  } while (ended > 0);
  await lapseChanges(pool);
};

/** The same for changes of bookings, each in a transaction of its own. */
const lapseChanges = async (pool: Pool): Promise<void> => {
  for (const found of await findUnansweredChanges(pool))
    await inTransaction(pool, async (tx) => {
      const request = await lockUnanswered(tx, found);
      if (!request) return;
      const { booking, change } = request;
      const isOver = hasLapsed(asRequest(change), await databaseNow(tx));
      const lost =
        isOver || (await hasLostTool(tx, { id: change.id, changesBookingId: booking.id }));
      if (lost) await endChangeRequest(tx, request, lapse);
    });
};
