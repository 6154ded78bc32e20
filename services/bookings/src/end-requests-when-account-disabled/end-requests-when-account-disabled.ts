import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import { bookingsOfHold } from '../booking-repository.ts';
import { findChangesAskedBy } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { lapse } from '../domain/purchase.ts';
import { endChangeRequest, lockUnanswered } from '../lock-change-request.ts';
import { lockOpenHolds } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/** Nobody is lent a tool, or charged, who may not log in: what an owner has not accepted yet ends, and no more is asked. */
export const endRequestsWhenAccountDisabled = ({ pool }: Deps): Consumer =>
  subscribeOnce(
    'bookings.end-requests-when-account-disabled',
    pool,
    async ({ data, version }, tx) => {
      const { userId, disabled } = data;
      const { rowCount } = await tx.query(
        `INSERT INTO disabled_people (id, version, disabled) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, disabled = EXCLUDED.disabled
       WHERE disabled_people.version < EXCLUDED.version`,
        [userId, version, disabled],
      );
      if (!rowCount || !disabled) return;
      // The live ones, too: one whose authorization is recorded in this moment is a request once its lock is ours.
      for (const hold of await lockOpenHolds(tx, userId)) {
        if (hold.changesBookingId) continue;
        const requests = await bookingsOfHold(tx, hold.id);
        if (hold.status !== 'requested' || requests.some(({ acceptedAt }) => acceptedAt)) continue;
        await advanceHold(tx, hold, { type: 'RequestEnded', ...lapse });
      }
      for (const asked of await findChangesAskedBy(tx, userId)) {
        const request = await lockUnanswered(tx, asked);
        if (request) await endChangeRequest(tx, request, lapse);
      }
    },
  );
