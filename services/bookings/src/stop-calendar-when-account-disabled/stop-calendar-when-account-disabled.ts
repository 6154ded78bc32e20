import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Whoever may not log in has no calendar either. A new address is made by whoever may again. */
export const stopCalendarWhenAccountDisabled = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.stop-calendar-when-account-disabled', pool, async (event, tx) => {
    if (!event.data.disabled) return;
    // One that was made after this says that it is an old event, whose time has milliseconds only.
    await tx.query(
      `DELETE FROM calendar_feeds
       WHERE user_id = $1 AND date_trunc('milliseconds', since) <= $2`,
      [event.data.userId, event.occurredAt],
    );
  });
