import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import {
  bookingMoneyInWords,
  type EarningsText,
  type OfBooking,
  payoutInWords,
} from '../../domain/earnings-texts.ts';
import type { EmailContent } from '../../email/email-content.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { earningsEmail, failedPayoutEmail } from '../../email/templates/earnings-emails.ts';

/** Notifies an owner of each transfer, payout and debt. A paid debt causes only a notice. */
export const notifyOwnerWhenMoneyMoved = (deps: Deps): Consumer =>
  subscribe('notifications.notify-owner-when-money-moved', (event) =>
    event.type === 'PayoutSettled' ? notifyOfPayout(deps, event) : notifyOfBooking(deps, event),
  );

const notifyOfBooking = async (deps: Deps, event: OfBooking): Promise<void> => {
  const { id: eventId, data } = event;
  const { ownerId, bookingId } = data;
  const { toolName } = await deps.bookings.get(bookingId);
  const text = bookingMoneyInWords(event, toolName);
  const { message } = text;
  const kind = event.type === 'TransferSent' ? 'earnings' : 'debt';
  await deps.notices.add({ eventId, userId: ownerId, bookingId, kind, message });
  await sendEmail(deps, { eventId, ownerId, template: kind, text, write: earningsEmail });
};

const notifyOfPayout = async (
  deps: Deps,
  { id: eventId, data }: Event<'PayoutSettled'>,
): Promise<void> => {
  const { ownerId, status } = data;
  const text = payoutInWords(data);
  const { message } = text;
  const isPaid = status === 'paid';
  const kind = isPaid ? 'earnings' : 'payouts';
  await deps.notices.add({ eventId, userId: ownerId, bookingId: null, kind, message });
  const write = isPaid ? earningsEmail : failedPayoutEmail;
  await sendEmail(deps, { eventId, ownerId, template: kind, text, write });
};

const sendEmail = async (
  deps: Deps,
  {
    eventId,
    ownerId,
    template,
    text: { message, email },
    write,
  }: {
    eventId: string;
    ownerId: string;
    template: 'earnings' | 'debt' | 'payouts';
    text: EarningsText;
    write: (site: string, text: Required<EarningsText>) => EmailContent;
  },
): Promise<void> => {
  if (!email) return;
  await queueEmail(
    deps,
    { eventId, template, to: addressOf(await deps.people.get(ownerId)) },
    write(siteOf(deps), { message, email }),
  );
};
