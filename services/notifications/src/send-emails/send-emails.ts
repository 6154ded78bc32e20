import { setTimeout as delay } from 'node:timers/promises';
import { Counter, faultPoint, inSpan, type Logger } from '@lendtools/service-kit';
import {
  type ClaimedEmail,
  type EmailRepository,
  type QueuedEmail,
  turnMs,
} from '../email-repository.ts';
import type { NoticeRepository } from '../notice-repository.ts';
import { lanes, type MailTransport, UndeliverableError } from './mail-transport.ts';

const pollMs = 2_000;
const minutes = 60_000;
const defaultRetryDelaysMs = [5_000, 15_000, minutes, 5 * minutes, 15 * minutes, 60 * minutes];

export const lateEmailCount = new Counter({
  name: 'late_emails_total',
  help: 'Emails that were not sent because they were of no use any more, such as a link after its end',
  registers: [],
});

export const emailCount = new Counter({
  name: 'emails_total',
  help: 'Emails by what became of them; delayed each time that the mail server did not take one',
  labelNames: ['status'],
  registers: [],
});
for (const status of ['sent', 'delayed', 'failed']) emailCount.inc({ status }, 0);

export type EmailSender = ReturnType<typeof createEmailSender>;

/** The most emails that a process claims for itself: a second's work. */
const maxReserved = 5 * lanes;

/**
 * Sends the emails in the log. A process claims the emails that it queues with the same write, and sends them next.
 * Beyond `maxReserved`, any process claims them with one query per email; the limit on queries matters because
 * notices use the same database. A poll finds emails that were postponed or left behind by a crash. An email is
 * claimed before it is sent and marked after the mail server's 250. So it is sent once, or twice if the process dies
 * in between.
 */
export const createEmailSender = (deps: {
  logger: Logger;
  emails: EmailRepository;
  notices: NoticeRepository;
  transport: MailTransport;
  retryDelaysMs?: readonly number[];
}) => {
  const open = new Set<Promise<void>>();
  /** Emails that this process claimed when it queued them and has not started to send. */
  const reserved: { email: ClaimedEmail; sinceMs: number }[] = [];
  /** How many emails are being queued that will be added to `reserved`. */
  let coming = 0;
  /** How many emails this process has queued without a claim and not queried for since. */
  let nudges = 0;
  /** Whether to look for other due emails; reset when none is found. */
  let isPolled = false;
  let stopped = false;

  const warn = (error: unknown): void =>
    deps.logger.warn({ err: error }, 'emails wait in their log');

  /** Releases the claim, so that another process or this one's poll can send it. */
  const releaseClaim = (email: ClaimedEmail): Promise<void> =>
    deps.emails.tryLater(email, new Date(), null).catch(warn);

  const releaseReserved = () =>
    Promise.all(reserved.splice(0).map(({ email }) => releaseClaim(email)));

  const claim = async (): Promise<ClaimedEmail | undefined> => {
    for (let next = reserved.shift(); next; next = reserved.shift()) {
      if (Date.now() - next.sinceMs < turnMs) return next.email;
      await releaseClaim(next.email);
    }
    while (!stopped && (nudges > 0 || isPolled)) {
      const isNudged = nudges > 0;
      if (isNudged) nudges--;
      else isPolled = false;
      const email = await deps.emails.claim();
      if (email && !isNudged) isPolled = true;
      if (email) return email;
    }
  };

  const sendDue = async (): Promise<void> => {
    try {
      for (let email = await claim(); email; email = await claim()) {
        wake();
        await send(deps, email);
      }
    } catch (error) {
      // The poll tries again.
      nudges = 0;
      isPolled = false;
      warn(error);
    }
  };

  /**
   * Starts one more lane unless all are open. A lane that finds an email starts the next, so an empty log costs one
   * query. A lane that waits for a slow mail server does not keep others from starting.
   */
  const wake = (): void => {
    if (stopped || open.size === lanes || !(reserved.length > 0 || nudges > 0 || isPolled)) return;
    const lane: Promise<void> = sendDue().finally(() => {
      open.delete(lane);
      // An email may have been queued after this lane's last query.
      wake();
    });
    open.add(lane);
  };
  const timer = setInterval(() => {
    isPolled = true;
    wake();
  }, pollMs);

  return {
    /** Adds an email to the log; resolves once it is stored. The poll finds postponed emails. */
    async queue(email: QueuedEmail): Promise<void> {
      const sinceMs = Date.now();
      const isDue = !email.dueAt || email.dueAt.getTime() <= sinceMs;
      const claim = isDue && !stopped && reserved.length + coming < maxReserved;
      if (claim) coming++;
      const claimed = await deps.emails.queue(email, { claim }).finally(() => {
        if (claim) coming--;
      });
      if (claimed && stopped) await releaseClaim(claimed);
      else if (claimed) reserved.push({ email: claimed, sinceMs });
      else if (isDue && !claim) nudges++;
      wake();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await Promise.all([releaseReserved(), ...open]);
      deps.transport.close();
    },
  };
};

type Deps = Parameters<typeof createEmailSender>[0];

const send = async (deps: Deps, email: ClaimedEmail): Promise<void> => {
  // The email waited too long for the mail server, the broker or this service. An expired link would only mislead.
  if (email.giveUpAt <= new Date()) {
    lateEmailCount.inc();
    deps.logger.warn({ email: loggedId(email) }, 'an email came too late and is not sent');
    return deps.emails.giveUp(
      email,
      `It came too late: it was of use until ${email.giveUpAt.toISOString()}`,
    );
  }
  if (email.unlessRead && (await deps.notices.isReadOrCovered(email.unlessRead)))
    return deps.emails.finish(email, 'unneeded');
  try {
    const parent = email.traceparent ?? null;
    await inSpan({ name: 'send email', kind: 'client', parent }, () => deps.transport.send(email));
  } catch (error) {
    return putOff(deps, email, error as Error);
  }
  emailCount.inc({ status: 'sent' });
  await faultPoint('email.afterSend');
  await markSent(deps, email);
};

/** The event and template only; the full id contains the recipient's address. */
const loggedId = ({ _id }: ClaimedEmail): string => _id.split(':').slice(0, 2).join(':');

const putOff = async (deps: Deps, email: ClaimedEmail, error: Error): Promise<void> => {
  const ladder = deps.retryDelaysMs ?? defaultRetryDelaysMs;
  const waitMs = ladder[Math.min(email.attempts, ladder.length) - 1] ?? minutes;
  const dueAt = new Date(Date.now() + waitMs);
  const isLast = error instanceof UndeliverableError || dueAt > email.giveUpAt;
  deps.logger.warn({ err: error, email: loggedId(email), isLast }, 'an email could not be sent');
  const reason = error.message.slice(0, 300);
  emailCount.inc({ status: isLast ? 'failed' : 'delayed' });
  if (isLast) await deps.emails.giveUp(email, reason);
  else await deps.emails.tryLater(email, dueAt, reason);
};

/** Retries, because failing to mark a sent email would send it again. */
const markSent = async (deps: Deps, email: ClaimedEmail): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await deps.emails.finish(email, 'sent');
    } catch (error) {
      if (attempt === 5) throw error;
      await delay(1_000);
    }
  }
};
