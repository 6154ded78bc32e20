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

/** How many emails a process keeps for itself: a second's work. */
const mostKept = 5 * lanes;

/**
 * Sends what the email log holds. What this process puts there it claims by the same write, and sends next; when it has
 * enough to do, any process claims it, by one question to the log for each, because notices wait for the same database.
 * A poll finds what was put off or left by a crash. An email is claimed before it is sent and marked after the mail
 * server's 250, so it leaves once, or, when the process dies between the two, twice.
 */
export const createEmailSender = (deps: {
  logger: Logger;
  emails: EmailRepository;
  notices: NoticeRepository;
  transport: MailTransport;
  retryDelaysMs?: readonly number[];
}) => {
  const open = new Set<Promise<void>>();
  /** Claimed as they were put into the log; not begun. */
  const kept: { email: ClaimedEmail; sinceMs: number }[] = [];
  /** Those on their way into the log, to be kept. */
  let coming = 0;
  /** Emails that were put into the log here, and not asked for since. */
  let nudges = 0;
  /** Whether there may be others, until none is found. */
  let isPolled = false;
  let stopped = false;

  const warn = (error: unknown): void =>
    deps.logger.warn({ err: error }, 'emails wait in their log');

  /** For another process, or for this one's poll. */
  const giveBack = (email: ClaimedEmail): Promise<void> =>
    deps.emails.tryLater(email, new Date(), null).catch(warn);

  const giveBackKept = () => Promise.all(kept.splice(0).map(({ email }) => giveBack(email)));

  const claim = async (): Promise<ClaimedEmail | undefined> => {
    for (let next = kept.shift(); next; next = kept.shift()) {
      if (Date.now() - next.sinceMs < turnMs) return next.email;
      await giveBack(next.email);
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
      // The poll asks again.
      nudges = 0;
      isPolled = false;
      warn(error);
    }
  };

  /**
   * Opens one more lane, unless all are open. Whoever finds an email does so too, so that where nothing is due the
   * database is asked once. A lane that waits for a slow mail server keeps no other from being opened.
   */
  const wake = (): void => {
    if (stopped || open.size === lanes || !(kept.length > 0 || nudges > 0 || isPolled)) return;
    const lane: Promise<void> = sendDue().finally(() => {
      open.delete(lane);
      // It may have been told of an email after it had asked for the last time.
      wake();
    });
    open.add(lane);
  };
  const timer = setInterval(() => {
    isPolled = true;
    wake();
  }, pollMs);

  return {
    /** Puts an email into the log; resolves once it is there. What is put off is found by the poll. */
    async queue(email: QueuedEmail): Promise<void> {
      const sinceMs = Date.now();
      const isDue = !email.dueAt || email.dueAt.getTime() <= sinceMs;
      const claim = isDue && !stopped && kept.length + coming < mostKept;
      if (claim) coming++;
      const claimed = await deps.emails.queue(email, { claim }).finally(() => {
        if (claim) coming--;
      });
      if (claimed && stopped) await giveBack(claimed);
      else if (claimed) kept.push({ email: claimed, sinceMs });
      else if (isDue && !claim) nudges++;
      wake();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await Promise.all([giveBackKept(), ...open]);
      deps.transport.close();
    },
  };
};

type Deps = Parameters<typeof createEmailSender>[0];

const send = async (deps: Deps, email: ClaimedEmail): Promise<void> => {
  // It waited for the mail server, for the broker, or for us: a link that works no more would only mislead.
  if (email.giveUpAt <= new Date()) {
    lateEmailCount.inc();
    deps.logger.warn({ email: loggedId(email) }, 'an email is of no use any more and is not sent');
    return deps.emails.giveUp(
      email,
      `It came too late: it was of use until ${email.giveUpAt.toISOString()}`,
    );
  }
  if (email.unlessRead && (await deps.notices.isReadOrSpokenFor(email.unlessRead)))
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

/** Its event and its template; the id ends with the recipient's address. */
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

/** A database that is away for a moment must not make a second email of one that has left. */
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
