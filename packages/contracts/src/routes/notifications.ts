import * as admin from '../api/admin.ts';
import { fields, id } from '../api/common.ts';
import * as notifications from '../api/notifications.ts';
import * as at from '../endpoints.ts';
import { routeOf } from '../route.ts';
import { byUser } from './common.ts';

const route = routeOf('notifications');

export const notificationRoutes = {
  myNotices: route(at.myNotices, {
    who: 'self',
    origin: 'ours',
    summary: "The caller's notices, newest first",
    params: byUser,
    query: notifications.noticesQuery,
    status: 200,
    reply: notifications.noticesReply,
  }),
  readNotice: route(at.readNotice, {
    who: 'self',
    origin: 'ours',
    summary: 'Mark a notice read',
    params: notifications.noticeParams,
    status: 200,
    reply: notifications.noticeReply,
    errors: ['NOTICE_NOT_FOUND'],
  }),
  readAllNotices: route(at.readAllNotices, {
    who: 'self',
    origin: 'ours',
    summary: 'Mark all notices read, or those of one booking',
    params: byUser,
    query: notifications.readAllQuery,
    status: 200,
    reply: notifications.unreadReply,
  }),
  sendNotification: route(at.sendNotification, {
    who: 'user',
    origin: 'documented',
    summary: "The notices created for the tool's owner by a booking",
    body: notifications.sendNotificationBody,
    status: 200,
    reply: notifications.notificationSentReply,
    errors: ['BOOKING_NOT_FOUND'],
  }),
  sendMessagingNotification: route(at.sendMessagingNotification, {
    who: 'user',
    origin: 'documented',
    summary: "The notices created for the other party by the caller's messages",
    body: notifications.sendMessagingNotificationBody,
    status: 200,
    reply: notifications.notificationSentReply,
    errors: ['BOOKING_NOT_FOUND'],
  }),
  addNotification: route(at.addNotification, {
    who: 'user',
    origin: 'documented',
    summary: "The notices created for the owner by the caller's booking",
    params: fields({ ownerId: id }),
    body: notifications.addNotificationBody,
    status: 200,
    reply: notifications.notificationSentReply,
    errors: ['BOOKING_NOT_FOUND'],
  }),
  preferences: route(at.preferences, {
    who: 'self',
    origin: 'ours',
    summary: 'Which emails and notices the caller wants, by topic',
    params: byUser,
    status: 200,
    reply: notifications.preferencesReply,
  }),
  setPreferences: route(at.setPreferences, {
    who: 'self',
    origin: 'ours',
    summary: 'Turn emails and notices about a topic on or off',
    params: byUser,
    body: notifications.setPreferencesBody,
    status: 200,
    reply: notifications.preferencesReply,
  }),
  unsubscribe: route(at.unsubscribe, {
    who: 'anyone',
    origin: 'ours',
    summary:
      "Turn off the emails about a topic, by the link in such an email; also a mail program's one-click unsubscribe",
    query: notifications.unsubscribeQuery,
    status: 200,
    reply: notifications.unsubscribeReply,
    errors: ['UNSUBSCRIBE_LINK_INVALID'],
  }),
  workOfNotifications: route(at.workOfNotifications, {
    who: 'admin',
    permission: 'read',
    audited: false,
    origin: 'ours',
    summary: 'The dead letters of the notifications service',
    status: 200,
    reply: admin.workReply,
  }),
} as const;
