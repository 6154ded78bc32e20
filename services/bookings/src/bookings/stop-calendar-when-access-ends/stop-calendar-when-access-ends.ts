import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

/** Ends the calendar feed of an account that is disabled or gets a new password: a thief may have created the feed. */
export const stopCalendarWhenAccessEnds = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.stop-calendar-when-access-ends', pool, async (event, tx) => {
    if (event.type === 'AccountDisabled' && !event.data.disabled) return;
    // Keep a feed that is newer than the event. An event's time has milliseconds, while `since` has microseconds.
    await tx.query(
      `DELETE FROM calendar_feeds
       WHERE user_id = $1 AND date_trunc('milliseconds', since) <= $2`,
      [event.data.userId, event.occurredAt],
    );
  });
