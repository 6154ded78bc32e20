import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Whoever writes is named in the thread by the newest version of their account. */
export const syncPeople = ({ people }: Deps): Consumer =>
  subscribe('messaging.keep-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName } = data;
    await people.keep({ _id, version, firstName, lastName });
  });
