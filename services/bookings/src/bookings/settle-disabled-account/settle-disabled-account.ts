import { inTransaction, isOutage, type Transaction } from '@lendtools/service-kit';
import { endLockedApproval, lockApproval } from '../../approvals/lock-approval.ts';
import type { Deps } from '../../deps.ts';
import { lapse } from '../../domain/approval.ts';
import { cancelBySystem } from '../../settle/cancel-now.ts';
import { findPendingOf } from '../../store/approval-repository.ts';
import { findOpenBookingsOfOwner, lockBooking } from '../../store/booking-repository.ts';
import {
  type DisabledPerson,
  findUnsettled,
  isDisabled,
  saveSettled,
} from '../../store/disabled-people-repository.ts';
import { findProblemsOf } from '../../store/problem-repository.ts';
import { openProblem } from '../problems/open-problem.ts';

/**
 * Lapses a renter's unanswered approvals, cancels an owner's future bookings with a full refund, and reports started
 * rentals to the admins. Idempotent.
 * @throws AggregateError after trying all of them, if some failed
 */
export const settleDisabledAccount = async (
  { pool }: Pick<Deps, 'pool'>,
  id: string,
): Promise<void> => {
  const person = await findUnsettled(pool, id);
  if (!person) return;
  const errors: Error[] = [];
  const settleEach = async <T>(
    rows: T[],
    settle: (tx: Transaction, row: T) => Promise<unknown>,
  ): Promise<void> => {
    for (const row of rows)
      await inTransaction(pool, async (tx) => {
        // Stop if the account was enabled again meanwhile.
        if (await isDisabled(tx, id)) await settle(tx, row);
      }).catch((error: Error) => {
        if (isOutage(error)) throw error;
        errors.push(error);
      });
  };
  await settleEach(await findPendingOf(pool, id), async (tx, approvalId) => {
    const locked = await lockApproval(tx, approvalId);
    if (locked?.approval.status === 'pending') await endLockedApproval(tx, locked, lapse);
  });
  await settleEach(await findOpenBookingsOfOwner(pool, id), (tx, bookingId) =>
    cancelOrReport(tx, bookingId, person),
  );
  const [first] = errors;
  if (first) throw new AggregateError(errors, `${errors.length} failed: ${first.message}`);
  await inTransaction(pool, (tx) => saveSettled(tx, person));
};

/** Cancels a future booking. Reports a started rental once, even if an admin settles the report before the next run. */
const cancelOrReport = async (
  tx: Transaction,
  bookingId: string,
  { changedAt }: DisabledPerson,
): Promise<void> => {
  if ((await cancelBySystem(tx, bookingId, 'owner-disabled')) !== 'started') return;
  const booking = await lockBooking(tx, bookingId);
  const isReported = (await findProblemsOf(tx, bookingId)).some(
    ({ kind, openedAt }) => kind === 'owner-disabled' && openedAt >= changedAt,
  );
  if (booking && !isReported)
    await openProblem(tx, booking, { kind: 'owner-disabled', reportedBy: null, text: '' });
};
