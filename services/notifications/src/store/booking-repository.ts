import { createInserter, NotKnownYetError } from '@lendtools/event-bus';
import { type Connection, Schema } from 'mongoose';

interface StoredBooking {
  _id: string;
  ownerId: string;
  renterId: string;
  toolName: string;
  isCancelled?: boolean;
}

export type BookingRepository = ReturnType<typeof createBookingRepository>;

export const createBookingRepository = (connection: Connection) => {
  const schema = new Schema<StoredBooking>(
    { _id: String, ownerId: String, renterId: String, toolName: String, isCancelled: Boolean },
    { versionKey: false, id: false },
  );
  const model = connection.model('Booking', schema, 'bookings');
  const insert = createInserter<StoredBooking>(model.collection);
  const newestFirst = { _id: -1 } as const;
  const maxBookings = 50;
  const pageSize = 1_000;

  return {
    async add(booking: StoredBooking): Promise<void> {
      await insert(booking);
    },

    /** Marks a booking as cancelled for good, so that later reminders are dropped. */
    async cancel({ _id, ...rest }: StoredBooking): Promise<void> {
      await model.updateOne(
        { _id },
        { $setOnInsert: rest, $set: { isCancelled: true } },
        { upsert: true },
      );
    },

    async isCancelled(bookingId: string): Promise<boolean> {
      return (await model.exists({ _id: bookingId, isCancelled: true })) !== null;
    },

    /** @throws NotKnownYetError while the booking's event is in transit; the consumer retries */
    async get(bookingId: string): Promise<StoredBooking> {
      const booking = await model.findById(bookingId).lean();
      if (!booking) throw new NotKnownYetError(`Booking ${bookingId} is not known yet`);
      return booking;
    },

    /** Lists the bookings of the owner's tools by the renter, newest first. */
    findRented(by: { renterId: string; ownerId: string; toolName?: string }) {
      return model.find(by).sort(newestFirst).limit(maxBookings).lean();
    },

    /** Reads all bookings of an owner or renter in pages: an owner may have more than fit into memory or a command. */
    async *pagesOf(userId: string): AsyncGenerator<StoredBooking[]> {
      const $or = [{ ownerId: userId }, { renterId: userId }];
      let page: StoredBooking[] = [];
      for await (const booking of model.find({ $or }).lean().cursor({ batchSize: pageSize })) {
        page.push(booking);
        if (page.length < pageSize) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },

    /** Whether the two have a booking together, in either role. If both ids are equal: whether this user has any booking. */
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
