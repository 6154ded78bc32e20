import { routes as contract } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import type { Deps } from './deps.ts';
import { getMessages } from './get-messages/get-messages.ts';
import { listReplies } from './list-replies/list-replies.ts';
import { listThreads } from './list-threads/list-threads.ts';
import { sendMessage } from './send-message/send-message.ts';
import { sendReply } from './send-reply/send-reply.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  getMessages(deps),
  sendMessage(deps),
  listReplies(deps),
  sendReply(deps),
  listThreads(deps),
  handle(contract.workOfMessaging, async () => ({ work: [await deadLetterWork(deps)] })),
];
