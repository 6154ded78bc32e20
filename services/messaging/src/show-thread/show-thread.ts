import { routes, type Thread } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { threadNotFound } from '../domain/errors.ts';
import { isParty } from '../domain/thread.ts';
import type { ThreadSummary } from '../store/thread-repository.ts';
import { viewThreads } from '../thread-view.ts';

export const showThread = (deps: Deps) =>
  handle(routes.getThread, async ({ params: { userId, threadId } }) => {
    const thread = await deps.threads.findSummary(threadId);
    if (!thread || !isParty(thread, userId)) throw threadNotFound();
    return { thread: await view(deps, thread, userId) };
  });

/** Returns null once a booking continues the question: the tool's page then offers a new one. */
export const findQuestion = (deps: Deps) =>
  handle(routes.findQuestion, async ({ params: { userId, toolId } }) => {
    const thread = await deps.threads.findQuestion(toolId, userId);
    const isOpen = thread && !thread.continuedBy;
    return { thread: isOpen ? await view(deps, thread, userId) : null };
  });

const view = async (deps: Deps, thread: ThreadSummary, userId: string): Promise<Thread> => {
  const [viewed] = await viewThreads(deps, [thread], userId);
  return viewed as Thread;
};
