import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Copies names, email addresses and pick-up places. */
export const syncPeople = ({ people }: Deps): Consumer =>
  subscribe('notifications.keep-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName, email, address, city, state } = data;
    const emailVerified = data.emailVerified ?? false;
    const place = { address, city, state };
    await people.keep({ _id, version, firstName, lastName, email, emailVerified, ...place });
  });
