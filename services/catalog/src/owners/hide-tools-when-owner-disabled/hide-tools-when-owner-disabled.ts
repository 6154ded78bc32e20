import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { hideToolsOfOwner, storeOwnerDisabled } from '../../store/owner-repository.ts';
import { publishTools } from '../../store/tool-repository.ts';

/** Removes a disabled owner's tools from search and rejects new holds on them. Reverses both when the owner is enabled again. */
export const hideToolsWhenOwnerDisabled = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.hide-tools-when-owner-disabled', pool, async (event, tx) => {
    const { userId, disabled } = event.data;
    const isNewer = await storeOwnerDisabled(tx, { id: userId, disabled, version: event.version });
    if (!isNewer) return;
    const changed = await hideToolsOfOwner(tx, userId, disabled);
    await publishTools(tx, 'ToolUpdated', changed);
  });
