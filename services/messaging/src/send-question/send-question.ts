import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { AppError, call, handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import {
  idempotencyKeyReused,
  questionAlreadyOpen,
  toolIsYours,
  toolNotFound,
} from '../domain/errors.ts';
import type { Message } from '../domain/thread.ts';
import { sentData, shownNames, toThreadMessage } from '../message-view.ts';

/** Opens a question to the tool's owner. Until a booking continues it, there is at most one per tool and renter. */
export const sendQuestion = (deps: Deps) =>
  handle(routes.sendQuestion, async ({ params, body, user, idempotencyKey: key }) => {
    const { toolId } = params;
    const tool = await findTool(deps, toolId);
    if (tool.userId === user.userId) throw toolIsYours();
    const parties = { ownerId: tool.userId, renterId: user.userId };
    const sentBefore = await deps.threads.findSent(user.userId, key);
    const question = sentBefore && (await deps.threads.findQuestion(toolId, user.userId));
    if (sentBefore && question?.continuedBy === sentBefore.thread.bookingId)
      return { messaging: await viewRepeated(deps, sentBefore, body.message) };
    const isRepeated = sentBefore && sentBefore.thread.bookingId === question?.bookingId;
    const blocked = await deps.blocks.findBetween(user.userId, [tool.userId]);
    if (blocked.has(tool.userId) && !isRepeated) throw toolNotFound();
    if (sentBefore?.thread.toolId !== toolId) await deps.questionLimit.spend(parties);
    const thread = await deps.threads.openQuestion({ toolId, toolName: tool.name, ...parties });
    const namesOf = await deps.people.names([user.userId]);
    const names = shownNames(thread, user.userId, namesOf);
    const draft = {
      fromUserId: user.userId,
      text: body.message,
      key,
      events: (sent: { id: string; fromUserId: string; text: string; createdAt: Date }) => [
        newEvent(
          'MessageSent',
          { id: thread.bookingId, version: 1 },
          {
            messageId: sent.id,
            ...sentData(thread, sent, { names, toUserId: thread.ownerId }),
          },
        ),
      ],
    };
    const message = await deps.threads.addMessage(thread, draft).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'THREAD_ALREADY_OPEN'
        ? questionAlreadyOpen()
        : error;
    });
    return { messaging: toThreadMessage(message, names) };
  });

/** A repeated question that a booking has continued: opening it again would start the next one. */
const viewRepeated = async ({ people }: Deps, sent: Message, text: string) => {
  if (sent.text !== text) throw idempotencyKeyReused();
  const namesOf = await people.names([sent.fromUserId]);
  return toThreadMessage(sent, shownNames(sent.thread, sent.fromUserId, namesOf));
};

/** Reads the tool as a visitor, to whom catalog shows neither removed tools nor those of disabled owners. */
const findTool = async ({ catalog }: Deps, id: string) => {
  const { tool } = await call(catalog, routes.getTool, { params: { id }, timeoutMs: 3_000 });
  if (!tool[0]) throw toolNotFound();
  return tool[0];
};
