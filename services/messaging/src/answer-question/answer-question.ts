import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { addReply } from '../add-reply.ts';
import type { Deps } from '../deps.ts';
import type { Thread } from '../domain/thread.ts';

/** A reply with which the tool's owner offers dates or declines. An offer holds nothing: the renter books as usual. */
export const answerQuestion = (deps: Deps) =>
  handle(routes.answerQuestion, async ({ params, body, user, idempotencyKey: key }) => {
    const { messageId } = params;
    const { kind, offer, message: text } = body;
    const reply = { messageId, user, text, key, answer: { kind, offer } };
    const mayAnswer = ({ ownerId, toolId }: Thread) =>
      toolId !== undefined && ownerId === user.userId;
    return { reply: await addReply(deps, reply, mayAnswer) };
  });
