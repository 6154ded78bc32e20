import type { BoundRoute } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { getMessages } from './get-messages/get-messages.ts';
import { listReplies } from './list-replies/list-replies.ts';
import { sendMessage } from './send-message/send-message.ts';
import { sendReply } from './send-reply/send-reply.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  getMessages(deps),
  sendMessage(deps),
  listReplies(deps),
  sendReply(deps),
];
