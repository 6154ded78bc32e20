import type { ServiceDeps } from '@lendtools/event-bus';
import type { BoundRoute } from '@lendtools/service-kit';
import { getMessages } from './get-messages/get-messages.ts';
import { listReplies } from './list-replies/list-replies.ts';
import type { PeopleRepository } from './people-repository.ts';
import { sendMessage } from './send-message/send-message.ts';
import { sendReply } from './send-reply/send-reply.ts';
import type { ThreadRepository } from './thread-repository.ts';

export interface MessagingDeps extends ServiceDeps {
  people: PeopleRepository;
  threads: ThreadRepository;
}

/** Everything that messaging answers. */
export const messagingRoutes = (deps: MessagingDeps): BoundRoute[] => [
  getMessages(deps),
  sendMessage(deps),
  listReplies(deps),
  sendReply(deps),
];
