import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { disputeAnswerDue, fraudSuspected } from '../domain/payment-words.ts';
import { disputeAnswerDueEmail, fraudSuspectedEmail } from '../email/payment-emails.ts';
import { siteOf } from '../email/queue-email.ts';
import { notifyAdmins } from '../notify-admins.ts';

/** Notifies admins to act before a bank takes or keeps the money. */
export const notifyAdminsWhenPaymentAtRisk = (deps: Deps): Consumer =>
  subscribe('notifications.notify-admins-when-payment-at-risk', (event) =>
    event.type === 'DisputeAnswerDue' ? remindOfEvidence(deps, event) : warnOfFraud(deps, event),
  );

/** Skips a deadline that has passed during an outage. */
const remindOfEvidence = async (
  deps: Deps,
  { id: eventId, data }: Event<'DisputeAnswerDue'>,
): Promise<void> => {
  const giveUpAt = new Date(data.answerBy);
  if (giveUpAt <= new Date()) return;
  const message = disputeAnswerDue(data);
  await notifyAdmins(deps, {
    eventId,
    bookingId: null,
    kind: 'dispute',
    message,
    giveUpAt,
    template: 'dispute-answer-due',
    email: disputeAnswerDueEmail(siteOf(deps), data),
  });
};

const warnOfFraud = (
  deps: Deps,
  { id: eventId, data }: Event<'FraudWarningReceived'>,
): Promise<void> =>
  notifyAdmins(deps, {
    eventId,
    bookingId: null,
    kind: 'dispute',
    message: fraudSuspected(data),
    template: 'fraud-suspected',
    email: fraudSuspectedEmail(siteOf(deps), data),
  });
