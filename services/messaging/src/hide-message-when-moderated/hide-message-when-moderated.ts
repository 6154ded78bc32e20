import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Replaces a message by a note that it is hidden, or shows it again. */
export const hideMessageWhenModerated = ({ threads, replies }: Deps): Consumer =>
  subscribe('messaging.hide-message-when-moderated', async ({ data, version }) => {
    if (data.about !== 'message') return;
    const { contentId: id, hiddenReason } = data;
    const hiding = { id, isHidden: hiddenReason !== null, version };
    const firstId = (await threads.hideMessage(hiding)) ? id : await replies.hide(hiding);
    const first = firstId && (await threads.findMessage(firstId));
    if (first) await threads.renewLast(first.thread.bookingId);
  });
