import type { ServiceName } from '@lendtools/contracts';
import { connect, inMongo } from '../databases.ts';
import { movedBackDays } from './move-into-past.ts';

interface Row {
  id: string;
  startDate: string;
  bookedAt: Date;
  returnedAt: Date | null;
}

interface Dated {
  bookingId: string | null;
  kind?: string;
  message?: string;
  createdAt: Date;
}

const hourMs = 3_600_000;

/** Moves messages and notices back with their rentals, and corrects the date in the renter's notice. Idempotent. */
export async function moveWordsIntoPast(
  databases: Record<ServiceName, string>,
  bookings: string[],
): Promise<void> {
  const rows = await readBookings(databases.bookings, bookings);
  const at = (row: Row, hours: number) => new Date(row.bookedAt.getTime() + hours * hourMs);

  await inMongo(databases.messaging, async (db) => {
    for (const row of rows) {
      const about = { bookingId: row.id };
      await db.collection('messages').updateMany(about, { $set: { createdAt: at(row, 2) } });
      await db.collection('replies').updateMany(about, { $set: { createdAt: at(row, 3) } });
    }
  });
  await inMongo(databases.notifications, async (db) => {
    const notices = db.collection<Dated>('notices');
    for (const row of rows) {
      for (const { _id, kind, message = '' } of await notices
        .find({ bookingId: row.id })
        .toArray()) {
        const isLate = kind === 'booking-returned' || kind === 'review';
        const createdAt =
          isLate && row.returnedAt ? row.returnedAt : at(row, kind === 'message' ? 3 : 0);
        const dated = message.replace(
          dayInWords(row.startDate, movedBackDays),
          dayInWords(row.startDate),
        );
        await notices.updateOne({ _id }, { $set: { createdAt, message: dated } });
      }
    }
  });
}

async function readBookings(database: string, ids: string[]): Promise<Row[]> {
  const client = await connect(database);
  try {
    const { rows } = await client.query<Row>(
      `SELECT id, start_date AS "startDate", booked_at AS "bookedAt", returned_at AS "returnedAt"
       FROM bookings WHERE id = ANY($1)`,
      [ids],
    );
    return rows;
  } finally {
    await client.end();
  }
}

const day = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Formats a date like `Mon, Jun 1`. */
function dayInWords(date: string, later = 0): string {
  const time = new Date(`${date}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + later);
  return day.format(time);
}
