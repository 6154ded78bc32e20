import { pendingIndex } from '@lendtools/event-bus';
import type { Connection } from 'mongoose';

/** Names of the unique indexes, by which a refused insert tells what it met. */
export const uniqueIndexes = {
  messageOfBooking: 'message_of_booking',
  placeInThread: 'place_in_thread',
  sendKey: 'send_key',
} as const;

/** Made at start, never by mongoose: every replica may ask for the same at once. */
export const ensureIndexes = async (connection: Connection): Promise<void> => {
  const sendKey = { key: { sendKey: 1 }, name: uniqueIndexes.sendKey, unique: true } as const;
  await connection
    .collection('messages')
    .createIndexes([
      { key: { bookingId: 1 }, name: uniqueIndexes.messageOfBooking, unique: true },
      sendKey,
      pendingIndex,
    ]);
  await connection
    .collection('replies')
    .createIndexes([
      { key: { messageId: 1, place: 1 }, name: uniqueIndexes.placeInThread, unique: true },
      sendKey,
      pendingIndex,
    ]);
};
