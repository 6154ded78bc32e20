import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Whom to write to, and where the tools of an owner are picked up. */
export const syncPeople = ({ people }: Deps): Consumer =>
  subscribe('notifications.keep-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName, email, address, city, state } = data;
    await people.keep({ _id, version, firstName, lastName, email, address, city, state });
  });
