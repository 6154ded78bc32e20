import type { Reply as ReplyReply, ThreadMessage } from '@lendtools/contracts';
import { isParty, type Message, type Reply, type Thread } from './domain/thread.ts';

interface Names {
  firstName: string;
  lastName: string;
}

/** An admin speaks for LendTools, whatever their own name is. */
export const authorNames = (thread: Thread, userId: string, namesOf: (userId: string) => Names) =>
  isParty(thread, userId) ? namesOf(userId) : { firstName: 'LendTools', lastName: '' };

interface Words {
  id: string;
  fromUserId: string;
  text: string;
  createdAt: Date;
}

const documented = ({ id, fromUserId, text, createdAt }: Words, names: Names) => ({
  id,
  message: text,
  user: { id: fromUserId, first_name: names.firstName, last_name: names.lastName },
  createdAt: createdAt.toISOString(),
});

/** A message as the documented fields carry it. */
export const toThreadMessage = (message: Message, names: Names): ThreadMessage => ({
  ...documented(message, names),
  bookingId: message.thread.bookingId,
  place: 0,
});

export const toReplyReply = (reply: Reply, names: Names): ReplyReply => ({
  ...documented(reply, names),
  bookingId: reply.bookingId,
  messageId: reply.messageId,
  place: reply.place,
});

/** What a `MessageSent` and a `ReplySent` have in common, for one of its recipients. */
export const saidData = (
  thread: Thread,
  said: Words,
  { names, toUserId }: { names: Names; toUserId: string },
) => ({
  bookingId: thread.bookingId,
  fromUserId: said.fromUserId,
  fromFirstName: names.firstName,
  fromLastName: names.lastName,
  toUserId,
  toolName: thread.toolName,
  text: said.text,
  sentAt: said.createdAt.toISOString(),
});
