import { routes } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, faultPoint, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { accept } from '../../domain/approval.ts';
import { changeInDispute } from '../../domain/errors.ts';
import { failsAt } from '../../settle/settle-approval.ts';
import { applyChange } from '../../settle/settle-change.ts';
import { isDisputed } from '../../store/allocation-repository.ts';
import { saveAcceptance } from '../../store/approval-repository.ts';
import { approvalAccepted } from '../../store/booking-events.ts';
import { renewVersion } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { schedule } from '../../store/schedule.ts';
import { lockApprovalAsParty } from '../lock-approval.ts';

/** `POST …/approvals/:id/accept`: charges the card if a payment is due; otherwise, applies the change. */
export const acceptApproval = ({ pool }: Deps) =>
  handle(routes.acceptApproval, async ({ user, params }) => {
    const bookingId = await inTransaction(pool, async (tx) => {
      const { booking, hold, change, approval, by } = await lockApprovalAsParty(
        tx,
        params.id,
        user,
      );
      if (by !== 'owner') throw forbidden();
      if (approval.acceptedAt) return booking.id;
      const now = await databaseNow(tx);
      accept(approval, by, now);
      // Check here too: a dispute's event ends open approvals, but a dispute that only reconciliation found does not.
      if (change && (await isDisputed(tx, booking.id))) throw changeInDispute();
      await saveAcceptance(tx, approval);
      if (hold) {
        const failAt = failsAt({ booking, change }, now);
        await schedule(tx, 'fail-uncharged-approval', approval.id, failAt);
        await addToOutbox(tx, approvalAccepted(approval, await renewVersion(tx, booking), hold.id));
      } else if (change) await applyChange(tx, booking, change);
      await faultPoint('accept.beforeCommit');
      return booking.id;
    });
    await faultPoint('accept.beforeReply');
    return { rental: await readBooking(pool, bookingId, user) };
  });
