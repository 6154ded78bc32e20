import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { addReply } from '../add-reply.ts';
import type { Deps } from '../deps.ts';
import { mayTakePart } from '../domain/thread.ts';

/** The path contains the id of the thread's first message. An admin's reply goes to both parties. */
export const sendReply = (deps: Deps) =>
  handle(routes.sendReply, async ({ params, body, user, idempotencyKey: key }) => {
    const { messageId } = params;
    const reply = { messageId, user, text: body.message, key };
    return { reply: await addReply(deps, reply, (thread) => mayTakePart(thread, user)) };
  });
