import { type Earnings, earningsOf } from '@lendtools/contracts/commission';
import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, type Transaction } from '@lendtools/service-kit';
import {
  type Approval,
  type ApprovalEnd,
  answerByOf,
  chargeableUntil,
  endApproval,
  isOpen,
} from '../domain/approval.ts';
import { endRequest, sharesAfterChange, transit } from '../domain/booking.ts';
import { answerByOfChange, changeableUntil } from '../domain/change.ts';
import { remindApprovalAt } from '../domain/reminders.ts';
import { sharesOfBooking } from '../store/allocation-repository.ts';
import { insertApproval, saveOutcome } from '../store/approval-repository.ts';
import { approvalEnded, approvalRequested } from '../store/booking-events.ts';
import { type BookingRow, renewVersion, saveStatus } from '../store/booking-repository.ts';
import type { BookingChange } from '../store/change-repository.ts';
import { schedule } from '../store/schedule.ts';
import { findTools, lockTools } from '../store/tool-repository.ts';
import { freeChange } from './settle-change.ts';

/** A locked booking, or a locked change of a booking, that the owner has to approve. */
export interface ApprovalSubject {
  booking: BookingRow;
  change?: BookingChange | undefined;
}

export interface LockedApproval extends ApprovalSubject {
  approval: Approval;
}

/** When an accepted approval fails if its card is not charged. */
export const failsAt = ({ booking, change }: ApprovalSubject, acceptedAt: Date): Date =>
  chargeableUntil(acceptedAt, change ? changeableUntil(booking, change) : booking.endsAt);

/** Requests the owner's approval. Until the answer, the units stay taken, and a change leaves its booking as is. */
export const requestApproval = async (
  tx: Transaction,
  { booking, change }: ApprovalSubject,
): Promise<void> => {
  const now = await databaseNow(tx);
  const { terms = null } = (await findTools(tx, [booking.toolId])).get(booking.toolId) ?? {};
  const answerBy = change
    ? answerByOfChange(booking, change, { terms, now })
    : answerByOf(booking, terms, now);
  const requested = change
    ? await renewVersion(tx, booking)
    : await saveStatus(tx, booking, transit(booking.status, 'request', 'system'));
  const approval = await insertApproval(tx, {
    bookingId: booking.id,
    changeId: change?.id ?? null,
    holdId: change ? change.holdId : booking.holdId,
    answerBy,
    remindAt: remindApprovalAt({ answerBy, timeZone: booking.timeZone }, now),
  });
  const earnings = await earningsIfAccepted(tx, { booking, change });
  await addToOutbox(tx, approvalRequested(approval, { booking: requested, change, earnings }));
  // Lapse the approval if the tool was removed before this commit: `sync-tools` lapses only committed approvals.
  const tool = (await lockTools(tx, [booking.toolId])).get(booking.toolId);
  if (tool?.removed || tool?.ownerDisabled) await schedule(tx, 'lapse-approval', approval.id);
};

const earningsIfAccepted = async (
  tx: Transaction,
  { booking, change }: ApprovalSubject,
): Promise<Earnings | undefined> => {
  const { commission } = booking;
  if (!commission) return undefined;
  if (!change) return earningsOf([booking.totalCents], commission);
  return earningsOf(sharesAfterChange(await sharesOfBooking(tx, booking.id), change), commission);
};

/** Ends a locked approval and frees its units. Idempotent. To release the card, the hold must end too. */
export const closeApproval = async (
  tx: Transaction,
  { booking, change, approval }: LockedApproval,
  how: ApprovalEnd,
): Promise<void> => {
  if (!isOpen(approval)) return;
  const outcome = endApproval(approval, how);
  await saveOutcome(tx, approval, { outcome, by: how.by, note: how.note });
  if (change) await freeChange(tx, { booking, change });
  const ended = change
    ? await renewVersion(tx, booking)
    : await saveStatus(tx, booking, endRequest(booking.status, outcome));
  await addToOutbox(
    tx,
    approvalEnded(approval, { booking: ended, change, outcome, note: how.note }),
  );
};
