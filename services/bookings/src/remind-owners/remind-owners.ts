import { addToOutbox } from '@lendtools/event-bus';
import { forEachRow, type RowRange, type Transaction } from '@lendtools/service-kit';
import { answerDue } from '../booking-events.ts';
import {
  type AnswerToRemind,
  claimRequestToRemind,
  findRequestsToRemind,
} from '../booking-repository.ts';
import { claimChangeToRemind, findChangesToRemind } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { mayRing } from '../domain/reminders.ts';

/**
 * Reminds owners of requests and changes that lapse soon, once each. Skips those that are answered, and skips a reminder
 * that would come at night. Safe to run on several replicas at once.
 */
export const remindOwners = async (deps: Pick<Deps, 'pool' | 'logger'>): Promise<void> => {
  const { pool } = deps;
  const findRequests = (range: RowRange) => findRequestsToRemind(pool, range);
  await forEachRow(deps, 'remind-owners', findRequests, async (tx, id) =>
    remind(tx, await claimRequestToRemind(tx, id)),
  );
  const findChanges = (range: RowRange) => findChangesToRemind(pool, range);
  await forEachRow(deps, 'remind-owners', findChanges, async (tx, id) =>
    remind(tx, await claimChangeToRemind(tx, id)),
  );
};

const remind = async (tx: Transaction, answer: AnswerToRemind | undefined): Promise<void> => {
  if (answer?.isOpen && mayRing(answer.timeZone, new Date()))
    await addToOutbox(tx, answerDue(answer));
};
