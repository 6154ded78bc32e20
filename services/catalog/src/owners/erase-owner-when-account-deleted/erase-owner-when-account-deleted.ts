import { addToOutbox, type Consumer, newEvent, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { eraseToolsOfOwner } from '../../store/owner-repository.ts';

/**
 * Removes a deleted owner's tools with their descriptions and pictures, and what the owner has saved. Their names stay in the renters'
 * history. `sync-owners` replaces the owner's name and place.
 */
export const eraseOwnerWhenAccountDeleted = ({ pool }: Deps): Consumer =>
  subscribeOnce(
    'catalog.erase-owner-when-account-deleted',
    pool,
    async ({ data: { userId: ownerId } }, tx) => {
      const removed = await eraseToolsOfOwner(tx, ownerId);
      const events = removed.map(({ id, version }) =>
        newEvent('ToolRemoved', { id, version }, { toolId: id, ownerId }),
      );
      await addToOutbox(tx, ...events);
    },
  );
