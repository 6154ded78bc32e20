import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { payoutChangeInWords } from '../../domain/payout-texts.ts';
import { notifyOwnerOfPayouts } from '../notify-owner-of-payouts.ts';

/** Also copies whether the owner can be paid, for the emails about bookings. */
export const notifyOwnerWhenPayoutAccountChanged = (deps: Deps): Consumer =>
  subscribe(
    'notifications.notify-owner-when-payout-account-changed',
    async ({ id: eventId, version, data }) => {
      const { ownerId, state } = data;
      await deps.payoutAccounts.save({ _id: ownerId, isReady: state === 'ready', version });
      const text = payoutChangeInWords(data);
      if (text) await notifyOwnerOfPayouts(deps, { eventId, ownerId, kind: 'payouts' }, text);
    },
  );
