import { type Booking, toDollars } from '@lendtools/contracts';
import { containing, type Db, type Identity } from '@lendtools/service-kit';
import { findSettlement } from './allocation-repository.ts';
import { type BookingRow, bookingColumns } from './booking-repository.ts';
import { actorOf, allowedActions, type BookingStatus } from './domain/booking.ts';
import { bookingNotFound } from './errors.ts';

interface ViewRow extends BookingRow {
  rating: number;
  ownerFirstName: string;
  ownerLastName: string;
  renterFirstName: string;
  renterLastName: string;
  country: string;
  state: string;
  city: string;
  address: string;
  cancelledBy: 'renter' | 'owner' | 'admin' | null;
  cancelledAt: Date | null;
  cancelledCents: number;
  refundedCents: number;
  refundableCents: number;
  heldCents: number;
  now: Date;
  isReviewedSinceReturn: boolean;
  isRemoved: boolean;
}

/** Whose view of a booking it is. */
type Viewer = Pick<Identity, 'userId' | 'role'>;

const viewed = `SELECT ${bookingColumns}, coalesce(v.rating, 0) AS rating,
    coalesce(r.first_name, '') AS "renterFirstName", coalesce(r.last_name, '') AS "renterLastName",
    coalesce(o.first_name, '') AS "ownerFirstName", coalesce(o.last_name, '') AS "ownerLastName",
    coalesce(o.country, '') AS country, coalesce(o.state, '') AS state, coalesce(o.city, '') AS city,
    coalesce(o.address, '') AS address, b.cancelled_by AS "cancelledBy", b.cancelled_at AS "cancelledAt",
    m.given - m.granted AS "cancelledCents", m.given + m.outside AS "refundedCents",
    m.refundable AS "refundableCents", m.held AS "heldCents", now(),
    coalesce(v.created_at >= b.returned_at, false) AS "isReviewedSinceReturn", t.removed_at IS NOT NULL AS "isRemoved"
  FROM bookings b
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(refunded_cents), 0)::int AS given, coalesce(sum(outside_cents), 0)::int AS outside,
      coalesce(sum(returnable_cents), 0)::int AS refundable,
      coalesce(sum(returnable_cents - left_cents), 0)::int AS held,
      (SELECT coalesce(sum(amount_cents), 0)::int FROM booking_refunds WHERE booking_id = b.id) AS granted
    FROM draw_balances WHERE booking_id = b.id) m
  JOIN tools t ON t.id = b.tool_id
  LEFT JOIN people r ON r.id = b.user_id
  LEFT JOIN people o ON o.id = b.owner_id
  LEFT JOIN reviews v ON v.booking_id = b.id`;

interface BookingsAsked {
  viewer: Viewer;
  limit: number;
  before: string | null;
  when: 'open' | 'over' | null;
}

/** A page of paid bookings, newest first: of an owner or of a renter. Drafts are never shown. */
export const pageOfBookings = async (
  db: Db,
  whose: 'owner_id' | 'user_id',
  { viewer, limit, before, when }: BookingsAsked,
): Promise<Booking[]> => {
  const { rows } = await db.query<ViewRow>(
    `${viewed} WHERE b.booked_at IS NOT NULL AND b.${whose} = $3 AND ($2::uuid IS NULL OR b.id < $2)
       AND ($4::text IS NULL OR (b.status = 'confirmed') = ($4 = 'open'))
     ORDER BY b.id DESC LIMIT $1`,
    [limit, before, viewer.userId, when],
  );
  return rows.map((row) => toBooking(row, viewer));
};

interface AllBookingsAsked {
  viewer: Viewer;
  limit: number;
  before: string | null;
  q: string | null;
  status: BookingStatus | null;
  userId: string | null;
}

/** People are looked up by the few ids that match, so that a name is compared once and not once for each booking. */
const foundBookings = `b.booked_at IS NOT NULL
  AND ($1::text IS NULL OR b.code ILIKE $1 OR b.name ILIKE $1
    OR b.user_id = ANY ($4::uuid[]) OR b.owner_id = ANY ($4::uuid[]))
  AND ($2::text IS NULL OR b.status = $2)
  AND ($3::uuid IS NULL OR b.user_id = $3 OR b.owner_id = $3)`;

/** More people of a name than anybody would look through. */
const mostPeople = 1_000;

/** A page of everybody's paid bookings that match, newest first, and how many there are. */
export const searchBookings = async (
  db: Db,
  { viewer, limit, before, q, status, userId }: AllBookingsAsked,
): Promise<{ bookings: Booking[]; total: number }> => {
  const pattern = containing(q);
  const people = pattern
    ? await db.query<{ id: string }>(
        `SELECT id FROM people WHERE first_name || ' ' || last_name ILIKE $1 ORDER BY id LIMIT $2`,
        [pattern, mostPeople],
      )
    : { rows: [] };
  const asked = [pattern, status, userId, people.rows.map(({ id }) => id)];
  const [page, count] = await Promise.all([
    db.query<ViewRow>(
      `${viewed} WHERE ${foundBookings} AND ($5::uuid IS NULL OR b.id < $5) ORDER BY b.id DESC LIMIT $6`,
      [...asked, before, limit],
    ),
    db.query<{ count: number }>(`SELECT count(*) FROM bookings b WHERE ${foundBookings}`, asked),
  ]);
  const bookings = page.rows.map((row) => toBooking(row, viewer));
  return { bookings, total: count.rows[0]?.count ?? 0 };
};

/**
 * A paid booking as its parties and admins see it; an admin sees all of its money.
 * @throws AppError BOOKING_NOT_FOUND where nothing was paid, and to everybody else
 */
export const readBooking = async (db: Db, id: string, viewer: Viewer): Promise<Booking> => {
  const { rows } = await db.query<ViewRow>(
    `${viewed} WHERE b.id = $1 AND b.booked_at IS NOT NULL`,
    [id],
  );
  if (!rows[0] || !actorOf(rows[0], viewer)) throw bookingNotFound();
  const booking = toBooking(rows[0], viewer);
  return viewer.role === 'Admin'
    ? { ...booking, settlement: await findSettlement(db, id) }
    : booking;
};

const bookingStatus: Record<BookingStatus, Booking['booking_status']> = {
  held: 'Held',
  confirmed: 'Booked',
  returned: 'Returned',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

/** Only parties of a booking and admins ever get this: it says where to pick the tool up, while it is theirs. */
const toBooking = (row: ViewRow, viewer: Viewer): Booking => {
  const isActive = row.status === 'confirmed' || row.status === 'returned';
  const isPaid = isActive || row.status === 'cancelled';
  const place = [row.address, row.city, row.state].filter(Boolean).join(', ');
  return {
    id: row.id,
    booking_code: row.code,
    name: row.name,
    description: row.description,
    price: toDollars(row.priceCents),
    rating: row.rating,
    payment: toDollars(row.totalCents),
    discount: toDollars(row.discountCents),
    booking_status: bookingStatus[row.status],
    authorization: isPaid ? 'Authorized' : 'UnAuthorized',
    period: row.period,
    returned_status: row.status === 'returned' ? 'Returned' : 'null',
    rental_circle: row.circle,
    country: row.country,
    state: row.state,
    city: row.city,
    address: isActive ? row.address : null,
    start_date: row.startDate,
    start_time: row.startTime,
    end_date: row.endDate,
    end_time: row.endTime,
    pickup_date: row.startDate,
    rental_id: row.toolId,
    image: row.coverImage,
    cover_image: row.coverImage,
    quantity: row.quantity,
    googleMap: isActive
      ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`
      : '',
    toolOwnerId: row.ownerId,
    userId: row.userId,
    user: { id: row.userId, first_name: row.renterFirstName, last_name: row.renterLastName },
    toolOwner: { id: row.ownerId, first_name: row.ownerFirstName, last_name: row.ownerLastName },
    timeZone: row.timeZone,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    returnedAt: row.returnedAt?.toISOString() ?? null,
    allowedActions: allowedActions(row, viewer, {
      ...row,
      isReviewed: row.rating > 0,
      leftCents: row.refundableCents - row.heldCents,
    }),
    cancellation:
      row.cancelledBy && row.cancelledAt
        ? {
            by: row.cancelledBy,
            at: row.cancelledAt.toISOString(),
            refund: toDollars(row.cancelledCents),
          }
        : null,
    refunded: toDollars(row.refundedCents),
    refundable: toDollars(row.refundableCents),
    held: toDollars(row.heldCents),
    settlement: null,
  };
};
