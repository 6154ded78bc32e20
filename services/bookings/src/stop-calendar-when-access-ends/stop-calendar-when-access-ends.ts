import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** A disabled account has no calendar feed, and a feed created under an old password may be a thief's. */
export const stopCalendarWhenAccessEnds = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.stop-calendar-when-account-disabled', pool, async (event, tx) => {
    if (event.type === 'AccountDisabled' && !event.data.disabled) return;
    // Keep a feed that is newer than the event, whose time has only milliseconds.
    await tx.query(
      `DELETE FROM calendar_feeds
       WHERE user_id = $1 AND date_trunc('milliseconds', since) <= $2`,
      [event.data.userId, event.occurredAt],
    );
  });
