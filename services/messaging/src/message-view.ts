import type { Reply as ReplyReply, ThreadMessage } from '@lendtools/contracts';
import { isParty, type Message, type Reply, type Thread } from './domain/thread.ts';

interface Names {
  firstName: string;
  lastName: string;
}

/** Admins appear as LendTools, whatever their own name is. */
export const authorNames = (thread: Thread, userId: string, namesOf: (userId: string) => Names) =>
  isParty(thread, userId) ? namesOf(userId) : { firstName: 'LendTools', lastName: '' };

interface MessageBody {
  id: string;
  fromUserId: string;
  text: string;
  createdAt: Date;
}

const toDocumented = ({ id, fromUserId, text, createdAt }: MessageBody, names: Names) => ({
  id,
  message: text,
  user: { id: fromUserId, first_name: names.firstName, last_name: names.lastName },
  createdAt: createdAt.toISOString(),
});

export const toThreadMessage = (message: Message, names: Names): ThreadMessage => ({
  ...toDocumented(message, names),
  bookingId: message.thread.bookingId,
  place: 0,
});

export const toReplyReply = (reply: Reply, names: Names): ReplyReply => ({
  ...toDocumented(reply, names),
  bookingId: reply.bookingId,
  messageId: reply.messageId,
  place: reply.place,
});

export const sentData = (
  thread: Thread,
  sent: MessageBody,
  { names, toUserId }: { names: Names; toUserId: string },
) => ({
  bookingId: thread.bookingId,
  fromUserId: sent.fromUserId,
  fromFirstName: names.firstName,
  fromLastName: names.lastName,
  toUserId,
  toolName: thread.toolName,
  text: sent.text,
  sentAt: sent.createdAt.toISOString(),
});
