import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { messageNotFound } from '../domain/errors.ts';
import { partiesOf } from '../domain/thread.ts';
import { readableText } from '../message-view.ts';

/** A message or reply for a report, as the parties of its thread read it. Only they can report it. */
export const showReportedMessage = ({ threads, replies }: Deps) =>
  handle(internalRoutes.reportedMessage, async ({ params, allow }) => {
    const reply = await replies.find(params.id);
    const first = await threads.findMessage(reply?.messageId ?? params.id);
    if (!first) throw messageNotFound();
    const { thread } = first;
    const answer = allow(partiesOf(thread), messageNotFound);
    const message = reply ?? first;
    if (message.isHidden) throw messageNotFound();
    return answer({
      title: `Message about ${thread.toolName}`,
      content: readableText(thread, message),
      authorId: message.fromUserId,
      bookingId: thread.toolId ? null : thread.bookingId,
    });
  });
