import type { BoundRoute } from '@lendtools/service-kit';
import {
  addNotification,
  sendMessagingNotification,
  sendNotification,
} from './answer-notification-calls/answer-notification-calls.ts';
import type { Deps } from './deps.ts';
import { listNotices } from './list-notices/list-notices.ts';
import { readAllNotices, readNotice } from './read-notices/read-notices.ts';

/** Every route of notifications, except the live hub's `/socket.io`. */
export const routes = (deps: Deps): BoundRoute[] => [
  listNotices(deps),
  readAllNotices(deps),
  readNotice(deps),
  sendNotification(deps),
  sendMessagingNotification(deps),
  addNotification(deps),
];
