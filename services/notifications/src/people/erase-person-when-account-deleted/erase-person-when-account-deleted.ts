import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

/**
 * Deletes the emails to a deleted user, the user's preferences and notices, and the notices that name the user to others. `sync-people` replaces the
 * name, email and address.
 */
export const erasePersonWhenAccountDeleted = ({
  notices,
  emails,
  bookings,
  admins,
  preferences,
}: Deps): Consumer =>
  subscribe('notifications.erase-person-when-account-deleted', async ({ data: { userId } }) => {
    await preferences.deleteOf(userId);
    await notices.deleteOf(userId);
    const adminIds = await admins.listIds('read');
    for await (const page of bookings.pagesOf(userId)) {
      const parties = page.flatMap(({ ownerId, renterId }) => [ownerId, renterId]);
      await notices.deleteAbout(
        page.map(({ _id }) => _id),
        [...new Set([...parties, ...adminIds])],
      );
    }
    await emails.deleteOf(userId);
  });
