import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { hideToolsOfOwner, keepOwnerDisabled } from '../owner-repository.ts';
import { publishTools } from '../tool-repository.ts';

/** Nobody can find or hold the tools of a disabled owner; they come back with the account. */
export const hideToolsWhenOwnerDisabled = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.hide-tools-when-owner-disabled', pool, async (event, tx) => {
    const { userId, disabled } = event.data;
    const isNews = await keepOwnerDisabled(tx, { id: userId, disabled, version: event.version });
    if (!isNews) return;
    const changed = await hideToolsOfOwner(tx, userId, disabled);
    await publishTools(tx, 'ToolUpdated', changed);
  });
