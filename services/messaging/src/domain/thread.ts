import type { Answer } from '@lendtools/contracts';

/**
 * A thread is created with its booking or request, before anyone writes, or with a question about a tool. The renter's next
 * booking or request of the tool continues a question: the messages then belong to the booking's thread.
 */
export interface Thread {
  /** The thread's id: that of its booking. A question has an id of its own until a booking continues it. */
  bookingId: string;
  ownerId: string;
  renterId: string;
  toolName: string;
  /** Only a question has a tool: it is found by its tool and renter. */
  toolId?: string;
  /** No payment has succeeded in the thread. */
  isUnpaid?: boolean;
  /** Contact details are masked: the thread is unpaid, and the operator has not turned masking off. */
  isMasked?: boolean;
  /** When its booking was completed or cancelled, or its request ended. */
  overAt?: Date;
  /** Its booking is over, but no return of the tool is confirmed. */
  isToolOut?: boolean;
}

/** The first message of a thread. Of a booking's thread either party may write it, of a question the renter. */
export interface Message {
  id: string;
  thread: Thread;
  fromUserId: string;
  text: string;
  createdAt: Date;
  /** LendTools hid it: both parties read a note in its place. */
  isHidden?: boolean;
}

/** `place` numbers a thread's replies from 1 without gaps, in the order in which they became readable. */
export interface Reply {
  id: string;
  messageId: string;
  bookingId: string;
  place: number;
  fromUserId: string;
  text: string;
  createdAt: Date;
  isHidden?: boolean;
  /** Set if the tool's owner offers dates or declines. */
  answer?: Answer;
}

export const partiesOf = ({ ownerId, renterId }: Thread): string[] => [ownerId, renterId];

export const isParty = (thread: Thread, userId: string): boolean =>
  partiesOf(thread).includes(userId);

/** Whether a user may read a thread and reply: its parties and admins may. Only a party may write the first message. */
export const mayTakePart = (thread: Thread, reader: { userId: string; role: string }): boolean =>
  reader.role === 'Admin' || isParty(thread, reader.userId);

export const recipientsOf = (thread: Thread, authorId: string): string[] =>
  partiesOf(thread).filter((userId) => userId !== authorId);

export const otherOf = ({ ownerId, renterId }: Thread, userId: string): string =>
  userId === ownerId ? renterId : ownerId;

/** How long the parties can write after their booking or request is over. */
const openAfterMs = 30 * 24 * 60 * 60_000;

/**
 * Whether the parties can no longer write. A block closes questions, and what is over at once: a booking or request that is not over
 * needs its thread, and so does the return of a tool.
 */
export const isClosed = (
  { overAt, toolId, isToolOut }: Thread,
  { now, isBlocked }: { now: Date; isBlocked: boolean },
): boolean => {
  if (isBlocked && toolId !== undefined) return true;
  if (isBlocked && overAt !== undefined && !isToolOut) return true;
  return overAt !== undefined && now.getTime() >= overAt.getTime() + openAfterMs;
};

const maxBookingAgeMs = 60 * 60_000;

/**
 * True if the id is a UUIDv7 less than an hour old, so that its event may still arrive: the timestamp is the start of the
 * hold, and nearly all holds are paid within an hour. Waiting for other ids would let strangers keep requests
 * open.
 */
export const mayStillArrive = (bookingId: string, now: Date): boolean => {
  const hex = bookingId.replaceAll('-', '');
  if (hex[12] !== '7') return false;
  const ageMs = now.getTime() - Number.parseInt(hex.slice(0, 12), 16);
  return Math.abs(ageMs) < maxBookingAgeMs;
};
