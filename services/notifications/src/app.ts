import type { ServiceDeps } from '@lendtools/event-bus';
import type { BoundRoute } from '@lendtools/service-kit';
import {
  addNotification,
  sendMessagingNotification,
  sendNotification,
} from './answer-notification-calls/answer-notification-calls.ts';
import type { BookingRepository } from './booking-repository.ts';
import type { Config } from './config.ts';
import type { EmailRepository } from './email-repository.ts';
import { listNotices } from './list-notices/list-notices.ts';
import type { NoticeRepository } from './notice-repository.ts';
import type { PeopleRepository } from './people-repository.ts';
import { readAllNotices, readNotice } from './read-notices/read-notices.ts';
import type { EmailSender } from './send-emails/send-emails.ts';

export interface NotificationsDeps extends ServiceDeps {
  config: Config;
  people: PeopleRepository;
  bookings: BookingRepository;
  notices: NoticeRepository;
  emails: EmailRepository;
  sender: EmailSender;
}

/** Everything that notifications answers; the live hub takes `/socket.io` beside it. */
export const notificationsRoutes = (deps: NotificationsDeps): BoundRoute[] => [
  listNotices(deps),
  readAllNotices(deps),
  readNotice(deps),
  sendNotification(deps),
  sendMessagingNotification(deps),
  addNotification(deps),
];
