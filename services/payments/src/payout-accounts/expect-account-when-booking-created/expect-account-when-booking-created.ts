import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { saveFirstBooking } from '../../store/payout-account-repository.ts';

/** The first paid booking starts the reminders of an owner who can't be paid yet. */
export const expectAccountWhenBookingCreated = ({ pool }: Deps) =>
  subscribeOnce(
    'payments.expect-account-when-booking-created',
    pool,
    async ({ data: { ownerId, totalCents }, occurredAt }, tx) => {
      if (totalCents > 0) await saveFirstBooking(tx, ownerId, occurredAt);
    },
  );
