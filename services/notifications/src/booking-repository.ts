import { createInserter, NotKnownYetError } from '@lendtools/event-bus';
import { type Connection, Schema } from 'mongoose';

/** What tells who has a booking with whom, of what. */
interface KnownBooking {
  _id: string;
  ownerId: string;
  renterId: string;
  toolName: string;
  isCancelled?: boolean;
}

export type BookingRepository = ReturnType<typeof createBookingRepository>;

export const createBookingRepository = (connection: Connection) => {
  const schema = new Schema<KnownBooking>(
    { _id: String, ownerId: String, renterId: String, toolName: String, isCancelled: Boolean },
    { versionKey: false, id: false },
  );
  const model = connection.model('Booking', schema, 'bookings');
  const insert = createInserter<KnownBooking>(model.collection);
  const newestFirst = { _id: -1 } as const;
  const enough = 50;

  return {
    async keep(booking: KnownBooking): Promise<void> {
      await insert(booking);
    },

    /** For good: whatever is still to be said of it is of no use. */
    async cancel({ _id, ...rest }: KnownBooking): Promise<void> {
      await model.updateOne(
        { _id },
        { $setOnInsert: rest, $set: { isCancelled: true } },
        { upsert: true },
      );
    },

    async isCancelled(bookingId: string): Promise<boolean> {
      return (await model.exists({ _id: bookingId, isCancelled: true })) !== null;
    },

    /**
     * A booking that something happened to.
     * @throws NotKnownYetError while its own event is on its way; the consumer tries again.
     */
    async get(bookingId: string): Promise<KnownBooking> {
      const booking = await model.findById(bookingId).lean();
      if (!booking) throw new NotKnownYetError(`Booking ${bookingId} is not known yet`);
      return booking;
    },

    /** The renter's bookings with an owner, newest first; of one tool if it is named. */
    findRented(by: { renterId: string; ownerId: string; toolName?: string }) {
      return model.find(by).sort(newestFirst).limit(enough).lean();
    },

    /** Whether two people have a booking with each other, either way round; with anybody if they are one. */
    async areParties(one: string, other: string): Promise<boolean> {
      const pairs =
        one === other
          ? [{ ownerId: one }, { renterId: one }]
          : [
              { ownerId: one, renterId: other },
              { ownerId: other, renterId: one },
            ];
      return (await model.exists({ $or: pairs })) !== null;
    },
  };
};
