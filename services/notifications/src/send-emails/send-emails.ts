import { setTimeout as delay } from 'node:timers/promises';
import { Counter, faultPoint, type Logger } from '@lendtools/service-kit';
import type { ClaimedEmail, EmailRepository } from '../email-repository.ts';
import type { NoticeRepository } from '../notice-repository.ts';
import { type MailTransport, UndeliverableError } from './mail-transport.ts';

const pollMs = 2_000;
/** Several at once, so that one slow conversation does not hold up the others. */
const lanes = 4;
const minutes = 60_000;
const defaultRetryDelaysMs = [5_000, 15_000, minutes, 5 * minutes, 15 * minutes, 60 * minutes];

export const lateEmailCount = new Counter({
  name: 'late_emails_total',
  help: 'Emails that were not sent because they were of no use any more, such as a link after its end',
  registers: [],
});

export type EmailSender = ReturnType<typeof createEmailSender>;

/**
 * Sends what the email log holds: at once when nudged, and by a poll for what was put off or left by a crash. An
 * email is claimed before it is sent and marked after the mail server's 250, so it leaves once, or, when the
 * process dies between the two, twice.
 */
export const createEmailSender = (deps: {
  logger: Logger;
  emails: EmailRepository;
  notices: NoticeRepository;
  transport: MailTransport;
  retryDelaysMs?: readonly number[];
}) => {
  let running: Promise<void> | undefined;
  let wanted = false;
  let stopped = false;

  const warn = (error: unknown): void =>
    deps.logger.warn({ err: error }, 'emails wait in their log');

  /** Whoever finds an email opens the next lane: where nothing is due, the database is asked once. */
  const sendDue = async (lane = 1): Promise<void> => {
    let next: Promise<void> | undefined;
    try {
      for (let email = await deps.emails.claim(); email; email = await deps.emails.claim()) {
        if (lane < lanes) next ??= sendDue(lane + 1);
        await send(deps, email);
        if (stopped) break;
      }
    } catch (error) {
      warn(error);
    }
    await next;
  };

  const run = async (): Promise<void> => {
    while (wanted && !stopped) {
      wanted = false;
      await sendDue();
    }
  };

  const nudge = (): void => {
    wanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(nudge, pollMs);

  return {
    nudge,
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};

type Deps = Parameters<typeof createEmailSender>[0];

const send = async (deps: Deps, email: ClaimedEmail): Promise<void> => {
  // It waited for the mail server, for the broker, or for us: a link that works no more would only mislead.
  if (email.giveUpAt <= new Date()) {
    lateEmailCount.inc();
    deps.logger.warn({ email: email._id }, 'an email is of no use any more and is not sent');
    return deps.emails.giveUp(
      email,
      `It came too late: it was of use until ${email.giveUpAt.toISOString()}`,
    );
  }
  if (email.unlessRead && (await deps.notices.isReadOrSpokenFor(email.unlessRead)))
    return deps.emails.finish(email, 'unneeded');
  try {
    await deps.transport(email);
  } catch (error) {
    return putOff(deps, email, error as Error);
  }
  await faultPoint('email.afterSend');
  await markSent(deps, email);
};

const putOff = async (deps: Deps, email: ClaimedEmail, error: Error): Promise<void> => {
  const ladder = deps.retryDelaysMs ?? defaultRetryDelaysMs;
  const waitMs = ladder[Math.min(email.attempts, ladder.length) - 1] ?? minutes;
  const dueAt = new Date(Date.now() + waitMs);
  const isLast = error instanceof UndeliverableError || dueAt > email.giveUpAt;
  deps.logger.warn({ err: error, email: email._id, isLast }, 'an email could not be sent');
  const reason = error.message.slice(0, 300);
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
