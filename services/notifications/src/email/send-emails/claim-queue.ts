import type { Logger } from '@lendtools/service-kit';
import {
  type ClaimedEmail,
  type EmailRepository,
  type QueuedEmail,
  turnMs,
} from '../../store/email-repository.ts';

/**
 * A queue that first returns the emails that this process claimed when queuing them, then claims other due emails, with one
 * query per email.
 * @param maxReserved how many claimed emails may wait; further ones are queued without a claim, for any process to send
 */
export const createClaimQueue = (
  { emails, logger }: { emails: EmailRepository; logger: Logger },
  maxReserved: number,
) => {
  /** Emails that were claimed when they were queued and are not being sent yet. */
  const reserved: { email: ClaimedEmail; sinceMs: number }[] = [];
  /** How many claimed emails are still being stored, so that they are not in `reserved` yet. */
  let coming = 0;
  /** How many queries are still to be made for emails that were queued without a claim. */
  let nudges = 0;
  /** Whether to query for other due emails; set to false when a query finds none. */
  let isPolled = false;
  let stopped = false;

  const releaseClaim = (email: ClaimedEmail): Promise<void> =>
    emails
      .tryLater(email, new Date(), null)
      .catch((err: unknown) => logger.warn({ err }, 'emails wait in their log'));

  return {
    mayHaveDue: (): boolean => !stopped && (reserved.length > 0 || nudges > 0 || isPolled),
    poll(): void {
      isPolled = true;
    },
    waitForPoll(): void {
      nudges = 0;
      isPolled = false;
    },
    /** Queues an email. Claims it if it is due now and fewer than `maxReserved` claimed emails wait. */
    async add(email: QueuedEmail): Promise<void> {
      const sinceMs = Date.now();
      const isDue = !email.dueAt || email.dueAt.getTime() <= sinceMs;
      const claim = isDue && !stopped && reserved.length + coming < maxReserved;
      if (claim) coming++;
      const claimed = await emails.queue(email, { claim }).finally(() => {
        if (claim) coming--;
      });
      if (claimed && stopped) await releaseClaim(claimed);
      else if (claimed) reserved.push({ email: claimed, sinceMs });
      else if (isDue && !claim) nudges++;
    },
    async next(): Promise<ClaimedEmail | undefined> {
      for (let first = reserved.shift(); first; first = reserved.shift()) {
        if (Date.now() - first.sinceMs < turnMs) return first.email;
        await releaseClaim(first.email);
      }
      while (!stopped && (nudges > 0 || isPolled)) {
        const isNudged = nudges > 0;
        if (isNudged) nudges--;
        else isPolled = false;
        const email = await emails.claim();
        if (email && !isNudged) isPolled = true;
        if (email) return email;
      }
    },
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(reserved.splice(0).map(({ email }) => releaseClaim(email)));
    },
  };
};
