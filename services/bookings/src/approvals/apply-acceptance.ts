import { addToOutbox } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { failsAt } from '../settle/settle-approval.ts';
import { applyChange } from '../settle/settle-change.ts';
import { saveAcceptance } from '../store/approval-repository.ts';
import { approvalAccepted } from '../store/booking-events.ts';
import { renewVersion } from '../store/booking-repository.ts';
import { schedule } from '../store/schedule.ts';
import type { HeldApproval } from './lock-approval.ts';

/** Charges the card of a locked approval or, if nothing is to be paid, applies its change. */
export const applyAcceptance = async (
  tx: Transaction,
  { booking, hold, change, approval }: HeldApproval,
  now: Date,
): Promise<void> => {
  await saveAcceptance(tx, approval);
  if (hold) {
    await schedule(tx, 'fail-uncharged-approval', approval.id, failsAt({ booking, change }, now));
    await addToOutbox(tx, approvalAccepted(approval, await renewVersion(tx, booking), hold.id));
  } else if (change) await applyChange(tx, booking, change);
};
