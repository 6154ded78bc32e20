import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Writers are shown in the thread with the name of their newest account version. */
export const syncPeople = ({ people }: Deps): Consumer =>
  subscribe('messaging.keep-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName } = data;
    await people.keep({ _id, version, firstName, lastName });
  });
