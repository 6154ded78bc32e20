import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { payoutReminder } from '../../domain/payout-texts.ts';
import { notifyOwnerOfPayouts } from '../notify-owner-of-payouts.ts';

export const remindOwnerWhenPayoutReminderDue = (deps: Deps): Consumer =>
  subscribe('notifications.remind-owner-when-payout-reminder-due', ({ id: eventId, data }) =>
    notifyOwnerOfPayouts(
      deps,
      { eventId, ownerId: data.ownerId, kind: 'payout-reminder' },
      payoutReminder(data),
    ),
  );
