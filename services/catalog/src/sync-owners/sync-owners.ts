import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { keepOwner, moveToolsToOwner } from '../owner-repository.ts';
import { publishTools } from '../tool-repository.ts';

/** When an owner moves, their tools move along; it is published to bookings because the tools' time zone may change. */
export const syncOwners = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.keep-owners', pool, async (event, tx) => {
    const isNews = await keepOwner(tx, event.data, event.version);
    if (!isNews) return;
    const moved = await moveToolsToOwner(tx, event.data.userId);
    await publishTools(tx, 'ToolUpdated', moved);
  });
