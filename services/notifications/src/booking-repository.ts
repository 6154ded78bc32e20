import { createInserter, NotKnownYetError } from '@lendtools/event-bus';
import { type Connection, Schema } from 'mongoose';

/** The parties of a booking and its tool. */
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
  const maxBookings = 50;

  return {
    async keep(booking: KnownBooking): Promise<void> {
      await insert(booking);
    },

    /** Marks a booking as cancelled for good, so that its later reminders are dropped. */
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
     * Returns a booking.
     * @throws NotKnownYetError while its event is in transit; the consumer retries
     */
    async get(bookingId: string): Promise<KnownBooking> {
      const booking = await model.findById(bookingId).lean();
      if (!booking) throw new NotKnownYetError(`Booking ${bookingId} is not known yet`);
      return booking;
    },

    /** The renter's newest bookings with an owner, optionally of one tool. */
    findRented(by: { renterId: string; ownerId: string; toolName?: string }) {
      return model.find(by).sort(newestFirst).limit(maxBookings).lean();
    },

    /**
     * Whether two people share a booking in either role; if both ids are equal, whether that person has any booking.
     */
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
