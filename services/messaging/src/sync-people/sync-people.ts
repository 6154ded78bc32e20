import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

export const syncPeople = ({ people }: Deps): Consumer =>
  subscribe('messaging.sync-people', async ({ version, data }) => {
    const { userId: _id, firstName, lastName } = data;
    await people.upsert({ _id, version, firstName, lastName });
  });
