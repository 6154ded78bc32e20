import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Ends the calendar feed of a disabled account, and of one whose password changed: a thief may have created it. */
export const stopCalendarWhenAccessEnds = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.stop-calendar-when-account-disabled', pool, async (event, tx) => {
    if (event.type === 'AccountDisabled' && !event.data.disabled) return;
    // Keep a feed that is newer than the event. Event times have milliseconds, `since` has microseconds.
    await tx.query(
      `DELETE FROM calendar_feeds
       WHERE user_id = $1 AND date_trunc('milliseconds', since) <= $2`,
      [event.data.userId, event.occurredAt],
    );
  });
