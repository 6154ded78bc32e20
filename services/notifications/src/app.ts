import type { BoundRoute } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { listNotices } from './notices/list-notices/list-notices.ts';
import { readAllNotices, readNotice } from './notices/read-notices/read-notices.ts';
import {
  addNotification,
  sendMessagingNotification,
  sendNotification,
} from './notices/send-notification/send-notification.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  listNotices(deps),
  readAllNotices(deps),
  readNotice(deps),
  sendNotification(deps),
  sendMessagingNotification(deps),
  addNotification(deps),
];
