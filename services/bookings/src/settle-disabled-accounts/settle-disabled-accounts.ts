import {
  attemptRows,
  inTransaction,
  isOutage,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import { bookingsOfHold, findOpenBookingsOfOwner, lockBooking } from '../booking-repository.ts';
import { cancelBySystem } from '../cancel-now.ts';
import { findChangesAskedBy } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import {
  type DisabledPerson,
  findUnsettledPeople,
  isDisabled,
  saveSettled,
} from '../disabled-people-repository.ts';
import { lapse } from '../domain/purchase.ts';
import { endChangeRequest, lockUnanswered } from '../lock-change-request.ts';
import { findProblemsOf } from '../problem-repository.ts';
import { openProblem } from '../problems/open-problem.ts';
import { findRequestsOf, lockHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

type JobDeps = Pick<Deps, 'pool' | 'logger'>;

/**
 * Settles what disabled accounts have open. Ends a renter's requests and changes that are not accepted. Cancels an owner's paid bookings
 * that have not started, with a full refund, and reports rentals under way to the admins. `lapse-requests` ends the requests that such
 * an owner has received. Idempotent, and safe to run on several replicas at once.
 */
export const settleDisabledAccounts = async (deps: JobDeps): Promise<void> => {
  const { pool } = deps;
  await attemptRows(
    deps,
    'settle-disabled-accounts',
    (range) => findUnsettledPeople(pool, range),
    (person) => settlePerson(pool, person),
  );
};

/** @throws AggregateError if a row failed, after the others are settled */
const settlePerson = async (pool: Pool, person: DisabledPerson): Promise<void> => {
  const { id } = person;
  const errors: Error[] = [];
  const settleEach = async <T>(
    rows: T[],
    settle: (tx: Transaction, row: T) => Promise<unknown>,
  ): Promise<void> => {
    for (const row of rows)
      await inTransaction(pool, async (tx) => {
        // The account may have been enabled again meanwhile.
        if (await isDisabled(tx, id)) await settle(tx, row);
      }).catch((error: Error) => {
        if (isOutage(error)) throw error;
        errors.push(error);
      });
  };
  await settleEach(await findRequestsOf(pool, id), endRequest);
  await settleEach(await findChangesAskedBy(pool, id), async (tx, asked) => {
    const request = await lockUnanswered(tx, asked);
    if (request) await endChangeRequest(tx, request, lapse);
  });
  await settleEach(await findOpenBookingsOfOwner(pool, id), (tx, bookingId) =>
    cancelOrReport(tx, bookingId, person),
  );
  const [first] = errors;
  if (first) throw new AggregateError(errors, `${errors.length} failed: ${first.message}`);
  await saveSettled(pool, person);
};

const endRequest = async (tx: Transaction, holdId: string): Promise<void> => {
  const hold = await lockHold(tx, holdId);
  const requests = await bookingsOfHold(tx, holdId);
  if (!hold || requests.some(({ acceptedAt }) => acceptedAt)) return;
  await advanceHold(tx, hold, { type: 'RequestEnded', ...lapse });
};

/** Reports a rental under way only once: by the next run the admins may have settled it. */
const cancelOrReport = async (
  tx: Transaction,
  bookingId: string,
  { changedAt }: DisabledPerson,
): Promise<void> => {
  if ((await cancelBySystem(tx, bookingId, 'owner-disabled')) !== 'started') return;
  const booking = await lockBooking(tx, bookingId);
  const isReported = (await findProblemsOf(tx, bookingId)).some(
    ({ kind, openedAt }) => kind === 'owner_disabled' && openedAt >= changedAt,
  );
  if (booking && !isReported)
    await openProblem(tx, booking, { kind: 'owner_disabled', reportedBy: null, text: '' });
};
