import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { hasLapsed } from '../../domain/approval.ts';
import { mayRing } from '../../domain/reminders.ts';
import { saveReminded } from '../../store/approval-repository.ts';
import { approvalDue } from '../../store/booking-events.ts';
import { schedule } from '../../store/schedule.ts';
import { lockApproval } from '../lock-approval.ts';

/** Reminds an owner once of an approval that lapses soon, but not at night. */
export const remindOwner = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const locked = await lockApproval(tx, id);
    if (locked?.approval.status !== 'pending') return;
    const { approval, booking } = locked;
    const { remindAt } = approval;
    if (!remindAt) return;
    const now = await databaseNow(tx);
    if (now < remindAt) return schedule(tx, 'remind-owner', id, remindAt);
    await saveReminded(tx, id);
    if (!hasLapsed(approval, now) && mayRing(booking.timeZone, now))
      await addToOutbox(tx, approvalDue(approval, booking));
  });
