import { type FactsOfEarnedBooking, internalRoutes } from '@lendtools/contracts';
import { columns, type Db, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { type EarningRental, waitOf } from '../../domain/booking.ts';

/** The payments service calls this for what its ledger does not contain of owners' earnings. */
export const listEarnedBookings = ({ pool, config }: Deps) =>
  handle(internalRoutes.earnedBookings, async ({ body }) => {
    const [bookings, owners] = await Promise.all([
      findEarnedBookings(pool, body.bookings),
      findNames(pool, body.owners),
    ]);
    const show = ({ rental, ...booking }: EarnedBooking) => {
      const { waitsFor, releaseAt } = waitOf(rental, config.COMPLETE_AFTER_HOURS);
      return { ...booking, waitsFor, releaseAt: releaseAt?.toISOString() ?? null };
    };
    return { bookings: bookings.map(show), owners };
  });

type EarnedBooking = Omit<FactsOfEarnedBooking, 'waitsFor' | 'releaseAt'> & {
  rental: EarningRental;
};

const findEarnedBookings = async (db: Db, ids: string[]): Promise<EarnedBooking[]> => {
  const { rows } = await db.query<Omit<EarnedBooking, 'rental'> & EarningRental>(
    `SELECT b.id, b.code AS "bookingCode", b.name AS "toolName", coalesce(r.first_name || ' ' || r.last_name, '') AS "renterName",
       b.start_date AS "startDate", b.end_date AS "endDate", b.commission AS terms,
       ${columns('status completedAt cancelledAt returnedAt endsAt', 'b')},
       EXISTS (SELECT FROM booking_problems WHERE booking_id = b.id AND settled_at IS NULL) AS "hasOpenProblem"
     FROM bookings b LEFT JOIN people r ON r.id = b.user_id WHERE b.id = ANY ($1::uuid[])`,
    [ids],
  );
  return rows.map(
    ({ status, completedAt, cancelledAt, returnedAt, endsAt, hasOpenProblem, ...booking }) => ({
      ...booking,
      rental: { status, completedAt, cancelledAt, returnedAt, endsAt, hasOpenProblem },
    }),
  );
};

const findNames = async (db: Db, ids: string[]): Promise<{ id: string; name: string }[]> => {
  const { rows } = await db.query<{ id: string; name: string }>(
    `SELECT id, first_name || ' ' || last_name AS name FROM people WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  return rows;
};
