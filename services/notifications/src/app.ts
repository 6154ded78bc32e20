import { routes as contract } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import type { Deps } from './deps.ts';
import { listNotices } from './notices/list-notices/list-notices.ts';
import { readAllNotices, readNotice } from './notices/read-notices/read-notices.ts';
import {
  addNotification,
  sendMessagingNotification,
  sendNotification,
} from './notices/send-notification/send-notification.ts';
import { exportData } from './people/export-data/export-data.ts';
import { readPreferences, setPreferences } from './preferences/set-preferences/set-preferences.ts';
import { unsubscribe } from './preferences/unsubscribe/unsubscribe.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  listNotices(deps),
  readAllNotices(deps),
  readNotice(deps),
  sendNotification(deps),
  sendMessagingNotification(deps),
  addNotification(deps),
  readPreferences(deps),
  setPreferences(deps),
  unsubscribe(deps),
  handle(contract.workOfNotifications, async () => ({ work: [await deadLetterWork(deps)] })),
  exportData(deps),
];
