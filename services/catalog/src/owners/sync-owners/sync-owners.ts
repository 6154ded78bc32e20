import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { moveToolsToOwner, upsertOwner } from '../../store/owner-repository.ts';
import { publishTools } from '../../store/tool-repository.ts';

/** When an owner moves, also moves the owner's tools, and publishes the tools, because their time zone may change. */
export const syncOwners = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.sync-owners', pool, async (event, tx) => {
    const isNewer = await upsertOwner(tx, event.data, event.version);
    if (!isNewer) return;
    const moved = await moveToolsToOwner(tx, event.data.userId);
    await publishTools(tx, 'ToolUpdated', moved);
  });
