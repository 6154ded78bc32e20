import { isDeletedEmail } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

export const syncPeople = ({ people, preferences }: Deps): Consumer =>
  subscribe('notifications.sync-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName, email, emailVerified, address, city, state } = data;
    const place = { address, city, state };
    await people.save({ _id, version, firstName, lastName, email, emailVerified, ...place });
    // `AccountDeleted` may have arrived first, and the user may have unsubscribed since.
    if (isDeletedEmail(email)) await preferences.deleteOf(_id);
  });
