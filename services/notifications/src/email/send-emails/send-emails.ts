import { setTimeout as delay } from 'node:timers/promises';
import { Counter, faultPoint, inSpan, type Logger } from '@lendtools/service-kit';
import type { ClaimedEmail, EmailRepository, QueuedEmail } from '../../store/email-repository.ts';
import type { NoticeRepository } from '../../store/notice-repository.ts';
import type { PreferenceRepository } from '../../store/preference-repository.ts';
import { isWorthWaiting, type ReceiptReader } from './attached-receipts.ts';
import { createClaimQueue } from './claim-queue.ts';
import {
  type AttachedFile,
  lanes,
  type MailTransport,
  UndeliverableError,
} from './mail-transport.ts';

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

/** About as many emails as a process sends in a second. */
const maxReserved = 5 * lanes;

/**
 * A process claims an email with the same write that queues it, and sends it next. While `maxReserved` claimed emails wait,
 * further emails are queued without a claim. Any process claims those with one query per email, which limits the load on the
 * database of the notices. A poll finds emails that were postponed or left behind by a crash. An email is claimed before it
 * is sent, and marked as sent after the mail server's 250, so it is sent twice only if the process dies in between.
 */
export const createEmailSender = (deps: {
  logger: Logger;
  emails: EmailRepository;
  notices: NoticeRepository;
  preferences: Pick<PreferenceRepository, 'get'>;
  transport: MailTransport;
  readReceipts: ReceiptReader;
  retryDelaysMs?: readonly number[];
}) => {
  const open = new Set<Promise<void>>();
  const queue = createClaimQueue(deps, maxReserved);

  const sendDue = async (): Promise<void> => {
    try {
      for (let email = await queue.next(); email; email = await queue.next()) {
        wake();
        await send(deps, email);
      }
    } catch (err) {
      queue.waitForPoll();
      deps.logger.warn({ err }, 'emails wait in their log');
    }
  };

  /** A lane sends one email after another. Each email that it finds starts another lane, so a slow mail server stops only one lane. */
  const wake = (): void => {
    if (open.size === lanes || !queue.mayHaveDue()) return;
    const lane: Promise<void> = sendDue().finally(() => {
      open.delete(lane);
      // Query again: an email may have been queued after this lane's last query.
      wake();
    });
    open.add(lane);
  };
  const timer = setInterval(() => {
    queue.poll();
    wake();
  }, pollMs);

  return {
    async queue(email: QueuedEmail): Promise<void> {
      await queue.add(email);
      wake();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all([queue.stop(), ...open]);
      deps.transport.close();
    },
  };
};

type Deps = Parameters<typeof createEmailSender>[0];

const send = async (deps: Deps, email: ClaimedEmail): Promise<void> => {
  // Drop an email that is too late: an expired link would only mislead.
  if (email.giveUpAt <= new Date()) {
    lateEmailCount.inc();
    deps.logger.warn({ email: loggedId(email) }, 'an email came too late and is not sent');
    return deps.emails.giveUp(
      email,
      `It came too late: it was of use until ${email.giveUpAt.toISOString()}`,
    );
  }
  if (await isUnneeded(deps, email)) return deps.emails.finish(email, 'unneeded');
  try {
    const parent = email.traceparent ?? null;
    await inSpan({ name: 'send email', kind: 'client', parent }, async () =>
      deps.transport.send(email, await attachments(deps, email)),
    );
  } catch (error) {
    return postpone(deps, email, error as Error);
  }
  emailCount.inc({ status: 'sent' });
  await faultPoint('email.afterSend');
  await markSent(deps, email);
};

const isUnneeded = async (
  { preferences, notices }: Deps,
  { userId, topic, unlessRead }: ClaimedEmail,
): Promise<boolean> => {
  if (userId && topic && !(await preferences.get(userId)).emails[topic]) return true;
  return unlessRead ? notices.isReadOrCovered(unlessRead) : false;
};

/** @throws while it is worth waiting for a receipt; afterwards the email is sent without it */
const attachments = async (
  { readReceipts, logger }: Deps,
  email: ClaimedEmail,
): Promise<AttachedFile[]> => {
  try {
    return await readReceipts(email.receipts ?? []);
  } catch (err) {
    if (isWorthWaiting(email)) throw err;
    logger.error({ err, email: loggedId(email) }, 'an email is sent without its receipt');
    return [];
  }
};

/** Omits the recipient's address from the log. */
const loggedId = ({ _id }: ClaimedEmail): string => _id.split(':').slice(0, 2).join(':');

const postpone = async (deps: Deps, email: ClaimedEmail, error: Error): Promise<void> => {
  const delaysMs = deps.retryDelaysMs ?? defaultRetryDelaysMs;
  const waitMs = delaysMs[Math.min(email.attempts, delaysMs.length) - 1] ?? minutes;
  const dueAt = new Date(Date.now() + waitMs);
  const isLast = error instanceof UndeliverableError || dueAt > email.giveUpAt;
  deps.logger.warn({ err: error, email: loggedId(email), isLast }, 'an email could not be sent');
  const reason = error.message.slice(0, 300);
  emailCount.inc({ status: isLast ? 'failed' : 'delayed' });
  if (isLast) await deps.emails.giveUp(email, reason);
  else await deps.emails.tryLater(email, dueAt, reason);
};

/** Retries, because an email that is not marked as sent would be sent again. */
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
