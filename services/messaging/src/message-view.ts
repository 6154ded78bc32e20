import {
  lastInitialOf,
  maskContacts,
  type Reply as ReplyReply,
  type ThreadMessage,
} from '@lendtools/contracts';
import { isParty, type Message, type Reply, type Thread } from './domain/thread.ts';

interface Names {
  firstName: string;
  lastName: string;
}

/** Names as a thread shows them. A question shows only the initial of a party's last name. Admins appear as LendTools. */
export const shownNames = (
  thread: Thread,
  userId: string,
  namesOf: (userId: string) => Names,
): Names => {
  if (!isParty(thread, userId)) return { firstName: 'LendTools', lastName: '' };
  const { firstName, lastName } = namesOf(userId);
  return { firstName, lastName: thread.toolId ? lastInitialOf({ firstName, lastName }) : lastName };
};

interface MessageBody {
  id: string;
  fromUserId: string;
  text: string;
  createdAt: Date;
  isHidden?: boolean;
}

/** The text as both parties read it. */
export const readableText = (
  { isMasked }: Pick<Thread, 'isMasked'>,
  { text, isHidden }: Pick<MessageBody, 'text' | 'isHidden'>,
): string => {
  if (isHidden) return 'LendTools has hidden this message.';
  return isMasked ? maskContacts(text) : text;
};

const toDocumented = (thread: Thread, message: MessageBody, names: Names) => ({
  id: message.id,
  bookingId: thread.bookingId,
  message: readableText(thread, message),
  user: { id: message.fromUserId, first_name: names.firstName, last_name: names.lastName },
  createdAt: message.createdAt.toISOString(),
});

export const toThreadMessage = (message: Message, names: Names): ThreadMessage => ({
  ...toDocumented(message.thread, message, names),
  place: 0,
});

/** Uses the thread's current id: the thread may have been a question when the reply was sent. */
export const toReplyReply = (thread: Thread, reply: Reply, names: Names): ReplyReply => ({
  ...toDocumented(thread, reply, names),
  messageId: reply.messageId,
  place: reply.place,
  ...(reply.answer && !reply.isHidden && { answer: reply.answer }),
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
  text: readableText(thread, sent),
  sentAt: sent.createdAt.toISOString(),
  ...(thread.toolId && { question: { toolId: thread.toolId, ownerId: thread.ownerId } }),
});
