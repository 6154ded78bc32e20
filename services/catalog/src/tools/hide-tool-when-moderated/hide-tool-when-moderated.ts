import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { refreshStatus } from '../../store/tool-booking-repository.ts';
import { lockTool, publishTools, storeHidden } from '../../store/tool-repository.ts';

/** Hides a tool from everyone except its owner and admins, or shows it again, with the status that its bookings give it. */
export const hideToolWhenModerated = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.hide-tool-when-moderated', pool, async ({ data, version }, tx) => {
    const { about, contentId: id, hiddenReason: reason } = data;
    if (about !== 'tool') return;
    const isNewer = await storeHidden(tx, { id, reason, version });
    const tool = isNewer && (await lockTool(tx, id));
    if (!tool) return;
    if (reason === null) await refreshStatus(tx, tool);
    await publishTools(tx, 'ToolUpdated', [id]);
  });
