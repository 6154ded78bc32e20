import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

/**
 * Deletes the emails to a deleted user, the user's notices, and the notices that name the user to others. `sync-people` replaces the
 * name, email and address.
 */
export const erasePersonWhenAccountDeleted = ({
  notices,
  emails,
  bookings,
  admins,
}: Deps): Consumer =>
  subscribe('notifications.erase-person-when-account-deleted', async ({ data: { userId } }) => {
    const shared = await bookings.findAllOf(userId);
    const parties = shared.flatMap(({ ownerId, renterId }) => [ownerId, renterId]);
    await notices.deleteNaming(userId, {
      bookingIds: shared.map(({ _id }) => _id),
      others: [...new Set([...parties, ...(await admins.listIds())])],
    });
    await emails.deleteOf(userId);
  });
