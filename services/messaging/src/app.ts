import { routes as contract } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import { answerQuestion } from './answer-question/answer-question.ts';
import type { Deps } from './deps.ts';
import { exportData } from './export-data/export-data.ts';
import { getMessages } from './get-messages/get-messages.ts';
import { listMyThreads } from './list-my-threads/list-my-threads.ts';
import { listReplies } from './list-replies/list-replies.ts';
import { listThreads } from './list-threads/list-threads.ts';
import { sendMessage } from './send-message/send-message.ts';
import { sendQuestion } from './send-question/send-question.ts';
import { sendReply } from './send-reply/send-reply.ts';
import { showReportedMessage } from './show-reported-message/show-reported-message.ts';
import { findQuestion, showThread } from './show-thread/show-thread.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  getMessages(deps),
  sendMessage(deps),
  listReplies(deps),
  sendReply(deps),
  listThreads(deps),
  handle(contract.workOfMessaging, async () => ({ work: [await deadLetterWork(deps)] })),
  sendQuestion(deps),
  findQuestion(deps),
  answerQuestion(deps),
  listMyThreads(deps),
  showThread(deps),
  showReportedMessage(deps),
  exportData(deps),
];
