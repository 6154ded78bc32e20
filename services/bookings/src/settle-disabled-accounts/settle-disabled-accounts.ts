import { forEachRow, isOutage, type Transaction } from '@lendtools/service-kit';
import { bookingsOfHold } from '../booking-repository.ts';
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
import { findRequestsOf, lockHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

type JobDeps = Pick<Deps, 'pool' | 'logger'>;

/**
 * Ends what people whose account is disabled have open: as renters, the requests and changes that no owner has accepted.
 * Safe on several replicas at once, and to repeat.
 */
export const settleDisabledAccounts = async (deps: JobDeps): Promise<void> => {
  const errors: unknown[] = [];
  for (const person of await findUnsettledPeople(deps.pool))
    await settlePerson(deps, person).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      errors.push(error);
    });
  if (errors.length > 0) throw new AggregateError(errors, 'some accounts could not be settled');
};

const settlePerson = async (deps: JobDeps, person: DisabledPerson): Promise<void> => {
  const { pool } = deps;
  const { id } = person;
  /** They may have been enabled again since. */
  const whileDisabled =
    <T>(work: (tx: Transaction, row: T) => Promise<unknown>) =>
    async (tx: Transaction, row: T) => {
      if (await isDisabled(tx, id)) await work(tx, row);
    };
  await forEachRow(deps, await findRequestsOf(pool, id), whileDisabled(endRequest));
  await forEachRow(
    deps,
    await findChangesAskedBy(pool, id),
    whileDisabled(async (tx, asked) => {
      const request = await lockUnanswered(tx, asked);
      if (request) await endChangeRequest(tx, request, lapse);
    }),
  );
  await saveSettled(pool, person);
};

const endRequest = async (tx: Transaction, holdId: string): Promise<void> => {
  const hold = await lockHold(tx, holdId);
  const requests = await bookingsOfHold(tx, holdId);
  if (!hold || requests.some(({ acceptedAt }) => acceptedAt)) return;
  await advanceHold(tx, hold, { type: 'RequestEnded', ...lapse });
};
