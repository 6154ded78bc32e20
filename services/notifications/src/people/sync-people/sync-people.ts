import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

export const syncPeople = ({ people }: Deps): Consumer =>
  subscribe('notifications.sync-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName, email, emailVerified, address, city, state } = data;
    const place = { address, city, state };
    await people.save({ _id, version, firstName, lastName, email, emailVerified, ...place });
  });
