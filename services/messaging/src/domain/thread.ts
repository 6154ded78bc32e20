/** The parties of a booking's thread. It exists as soon as the booking does, before anything is written. */
export interface Thread {
  bookingId: string;
  ownerId: string;
  renterId: string;
  toolName: string;
}

/** The first message of a thread, by either party. There is at most one for each booking. */
export interface Message {
  id: string;
  thread: Thread;
  fromUserId: string;
  text: string;
  createdAt: Date;
}

/** `place` counts a thread's replies from 1, without gaps and in the order in which they became readable. */
export interface Reply {
  id: string;
  messageId: string;
  bookingId: string;
  place: number;
  fromUserId: string;
  text: string;
  createdAt: Date;
}

export const partiesOf = ({ ownerId, renterId }: Thread): string[] => [ownerId, renterId];

export const isParty = (thread: Thread, userId: string): boolean =>
  partiesOf(thread).includes(userId);

/** Admins read along and may reply; the first message is for a party to write. */
export const mayTakePart = (thread: Thread, reader: { userId: string; role: string }): boolean =>
  reader.role === 'Admin' || isParty(thread, reader.userId);

/** Whom somebody writes to: the other party or, as an admin, both. */
export const recipientsOf = (thread: Thread, authorId: string): string[] =>
  partiesOf(thread).filter((userId) => userId !== authorId);

const longestWaitedForMs = 60 * 60_000;

/**
 * Whether the `BookingCreated` of an unknown booking may still be on its way: its id (a UUIDv7) says when its hold
 * began, and nearly all are paid within an hour. Waiting for any other would let strangers keep requests open.
 */
export const mayStillArrive = (bookingId: string, now: Date): boolean => {
  const hex = bookingId.replaceAll('-', '');
  if (hex[12] !== '7') return false;
  const ageMs = now.getTime() - Number.parseInt(hex.slice(0, 12), 16);
  return Math.abs(ageMs) < longestWaitedForMs;
};
