import * as admin from '../api/admin.ts';
import * as messaging from '../api/messaging.ts';
import * as at from '../endpoints.ts';
import { routeOf } from '../route.ts';

const route = routeOf('messaging');

export const messagingRoutes = {
  myMessages: route(at.myMessages, {
    who: 'party or admin',
    origin: 'documented',
    summary: "The first message of a booking's thread, if any",
    params: messaging.bookingParams,
    status: 200,
    reply: messaging.messagingReply,
    errors: ['THREAD_NOT_FOUND'],
  }),
  sendMessage: route(at.sendMessage, {
    who: 'party',
    origin: 'documented',
    summary: 'Open the thread with its first message',
    params: messaging.bookingParams,
    body: messaging.messageBody,
    idempotent: true,
    status: 201,
    reply: messaging.messageSentReply,
    errors: ['THREAD_NOT_FOUND', 'THREAD_ALREADY_OPEN'],
  }),
  myReplies: route(at.myReplies, {
    who: 'party or admin',
    origin: 'documented',
    summary: 'The replies to a message, oldest first',
    params: messaging.messageParams,
    query: messaging.repliesQuery,
    status: 200,
    reply: messaging.repliesReply,
    errors: ['MESSAGE_NOT_FOUND'],
  }),
  sendReply: route(at.sendReply, {
    who: 'self',
    origin: 'documented',
    summary: 'Reply in a thread, as a party of it or as an admin',
    params: messaging.userMessageParams,
    body: messaging.messageBody,
    idempotent: true,
    status: 201,
    reply: messaging.replySentReply,
    errors: ['MESSAGE_NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  threads: route(at.threads, {
    who: 'admin',
    origin: 'ours',
    summary: 'Who writes to whom, without what they write',
    query: admin.threadsQuery,
    status: 200,
    reply: admin.threadsReply,
  }),
  workOfMessaging: route(at.workOfMessaging, {
    who: 'admin',
    origin: 'ours',
    summary: 'The dead letters of the messaging service',
    status: 200,
    reply: admin.workReply,
  }),
} as const;
