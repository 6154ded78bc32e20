import { routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import * as rules from '../../domain/approval.ts';
import { undoDelayedAcceptance } from '../../store/approval-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { lockApprovalAsParty } from '../lock-approval.ts';

/** `POST …/approvals/:id/undo-accept`: until the card is charged, lets the owner decide again. */
export const undoAccept = ({ pool }: Deps) =>
  handle(routes.undoAccept, async ({ user, params }) => {
    const bookingId = await inTransaction(pool, async (tx) => {
      const { booking, approval, by } = await lockApprovalAsParty(tx, params.id, user);
      rules.undoAccept(approval, by);
      // No-op if it is already undone, by a second click or in another tab.
      if (rules.isAcceptanceDelayed(approval)) await undoDelayedAcceptance(tx, approval);
      return booking.id;
    });
    return { rental: await readBooking(pool, bookingId, user) };
  });
