import { routes } from '@lendtools/contracts';
import { actAsAdmin, handle } from '@lendtools/service-kit';
import { addReply } from '../add-reply.ts';
import type { Deps } from '../deps.ts';
import { isParty, mayTakePart, type Thread } from '../domain/thread.ts';

/** The path contains the id of the thread's first message. An admin's reply goes to both parties. */
export const sendReply = (deps: Deps) =>
  handle(routes.sendReply, async ({ params, body, user, idempotencyKey: key }) => {
    const { messageId } = params;
    const reply = { messageId, user, text: body.message, key };
    const mayWrite = (thread: Thread) => {
      if (!isParty(thread, user.userId)) actAsAdmin();
      return mayTakePart(thread, user);
    };
    return { reply: await addReply(deps, reply, mayWrite) };
  });
