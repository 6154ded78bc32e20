import { routes } from '@lendtools/contracts';
import { databaseNow, faultPoint, forbidden, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { accept, chargesAtOf, isAcceptanceDelayed } from '../../domain/approval.ts';
import { changeInDispute } from '../../domain/errors.ts';
import { isDisputed } from '../../store/allocation-repository.ts';
import { saveDelayedAcceptance } from '../../store/approval-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { applyAcceptance } from '../apply-acceptance.ts';
import { lockApprovalAsParty } from '../lock-approval.ts';

/**
 * `POST …/approvals/:id/accept`: charges the card if a payment is due; otherwise, applies the change. With `undoable`, the
 * charge waits in the database, so that neither a reload nor a crash loses it or the time to undo it.
 */
export const acceptApproval = ({ pool }: Deps) =>
  handle(routes.acceptApproval, async ({ user, params, body: { undoable = false } }) => {
    const bookingId = await inTransaction(pool, async (tx) => {
      const { by, ...locked } = await lockApprovalAsParty(tx, params.id, user);
      const { booking, hold, change, approval } = locked;
      if (by !== 'owner') throw forbidden();
      const isDelayed = isAcceptanceDelayed(approval);
      if (approval.acceptedAt || (isDelayed && undoable)) return booking.id;
      const now = await databaseNow(tx);
      if (!isDelayed) accept(approval, by, now);
      // Check here too: a dispute's event ends open approvals, but a dispute that only reconciliation found does not.
      if (change && (await isDisputed(tx, booking.id))) throw changeInDispute();
      if (hold && undoable) await saveDelayedAcceptance(tx, approval, chargesAtOf(now));
      else await applyAcceptance(tx, locked, now);
      await faultPoint('accept.beforeCommit');
      return booking.id;
    });
    await faultPoint('accept.beforeReply');
    return { rental: await readBooking(pool, bookingId, user) };
  });
