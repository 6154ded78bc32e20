import { addToOutbox } from '@lendtools/event-bus';
import { inTransaction, type Pool } from '@lendtools/service-kit';
import { answerDue } from '../booking-events.ts';
import { takeRequestsToRemind } from '../booking-repository.ts';
import { takeChangesToRemind } from '../change-request-repository.ts';
import { mayRing } from '../domain/reminders.ts';

/**
 * Publishes, once each and on several replicas too, that a request or a change lapses soon. What has been answered reminds
 * nobody, nor does what waited until the night.
 */
export const remindOwners = async (pool: Pool): Promise<void> => {
  let looked: number;
  do {
    looked = await inTransaction(pool, async (tx) => {
      const requests = await takeRequestsToRemind(tx);
      const changes = await takeChangesToRemind(tx);
      await addToOutbox(
        tx,
        ...[...requests, ...changes]
          .filter(({ isOpen, timeZone }) => isOpen && mayRing(timeZone, new Date()))
          .map(answerDue),
      );
      return requests.length + changes.length;
    });
  } while (looked > 0);
};
