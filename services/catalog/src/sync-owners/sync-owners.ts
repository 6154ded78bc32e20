import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { moveToolsToOwner, upsertOwner } from '../owner-repository.ts';
import { publishTools } from '../tool-repository.ts';

/** Moves the tools with their owner, and publishes them because their time zone may change. */
export const syncOwners = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.keep-owners', pool, async (event, tx) => {
    const isNewer = await upsertOwner(tx, event.data, event.version);
    if (!isNewer) return;
    const moved = await moveToolsToOwner(tx, event.data.userId);
    await publishTools(tx, 'ToolUpdated', moved);
  });
