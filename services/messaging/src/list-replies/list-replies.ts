import { maxPageSize, routes } from '@lendtools/contracts';
import { cursorInvalid, handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { messageNotFound } from '../domain/errors.ts';
import { partiesOf } from '../domain/thread.ts';
import { shownNames, toReplyReply } from '../message-view.ts';

export const listReplies = (deps: Deps) =>
  handle(routes.myReplies, async ({ params, query, allow }) => {
    const message = await deps.threads.findMessage(params.messageId);
    if (!message) throw messageNotFound();
    const answer = allow(partiesOf(message.thread), messageNotFound);

    const limit = query.limit ?? maxPageSize;
    const after = Math.max(
      readCursor(query.cursor),
      query.after ? await deps.replies.placeOf(message.id, query.after) : 0,
    );
    const found = await deps.replies.list(message.id, after, limit + 1);
    const page = found.slice(0, limit);
    const names = await deps.people.names(page.map((reply) => reply.fromUserId));
    const last = page.at(-1);
    return answer({
      replies: page.map((reply) =>
        toReplyReply(message.thread, reply, shownNames(message.thread, reply.fromUserId, names)),
      ),
      nextCursor: found.length > limit && last ? String(last.place) : null,
    });
  });

const readCursor = (cursor = ''): number => {
  if (/^\d{0,9}$/.test(cursor)) return Number(cursor);
  throw cursorInvalid();
};
