import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { disputeAnswerDue, fraudSuspected } from '../../domain/payment-texts.ts';
import { siteOf } from '../../email/queue-email.ts';
import {
  disputeAnswerDueEmail,
  fraudSuspectedEmail,
} from '../../email/templates/payment-emails.ts';
import { notifyAdmins } from '../../notices/notify-admins.ts';

export const notifyAdminsWhenPaymentAtRisk = (deps: Deps): Consumer =>
  subscribe('notifications.notify-admins-when-payment-at-risk', (event) =>
    event.type === 'DisputeAnswerDue' ? remindOfEvidence(deps, event) : warnOfFraud(deps, event),
  );

/** Reminds the admins of the deadline for evidence in a dispute, unless the deadline passed during an outage. */
const remindOfEvidence = async (
  deps: Deps,
  { id: eventId, data }: Event<'DisputeAnswerDue'>,
): Promise<void> => {
  const giveUpAt = new Date(data.answerBy);
  if (giveUpAt <= new Date()) return;
  const message = disputeAnswerDue(data);
  await notifyAdmins(deps, {
    permission: 'money',
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
    permission: 'money',
    eventId,
    bookingId: null,
    kind: 'dispute',
    message: fraudSuspected(data),
    template: 'fraud-suspected',
    email: fraudSuspectedEmail(siteOf(deps), data),
  });
