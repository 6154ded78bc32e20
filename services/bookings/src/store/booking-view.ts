import {
  type Booking,
  type BookingAction,
  type CancelCause,
  type CancelPreview,
  type ListTotal,
  may,
  pickUpPlace,
  type RenterFacts,
  type Route,
  routes,
  toDollars,
} from '@lendtools/contracts';
import { earningsOf } from '@lendtools/contracts/commission';
import { type Caller, containing, countListed, type Db } from '@lendtools/service-kit';
import { actorOf } from '../domain/actor.ts';
import { isAcceptanceDelayed } from '../domain/approval.ts';
import {
  allowedActions,
  type BookingStatus,
  cancel,
  isInForce,
  previewCancel,
  type RefundableAllocation,
  sharesAfterChange,
} from '../domain/booking.ts';
import type { WantedRental } from '../domain/change.ts';
import { bookingNotFound } from '../domain/errors.ts';
import { reviewsCloseAt } from '../domain/review.ts';
import { findPaymentIds, findSettlement } from './allocation-repository.ts';
import { findLatestApprovals, type ShownApproval } from './approval-repository.ts';
import { isPlaceHiddenSql } from './block-repository.ts';
import { type BookingRow, bookingColumns, isShownSql } from './booking-repository.ts';
import {
  type BookingChange,
  type DoneChange,
  findChanges,
  findDoneChanges,
  findUnpaidChange,
  type UnpaidChange,
} from './change-repository.ts';
import { findProblemsOf, type ProblemRow, reporterOf } from './problem-repository.ts';
import { findRenterFacts, type RenterFactsRow } from './renter-facts.ts';
import { findRenterReview } from './renter-review-repository.ts';

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
  cancelCause: CancelCause | null;
  cancelReason: string | null;
  cancelledAt: Date | null;
  cancelledCents: number;
  paidCents: number;
  refundedCents: number;
  refundableCents: number;
  heldCents: number;
  /** What is left of each payment, oldest first. */
  shares: Pick<RefundableAllocation, 'paymentId' | 'leftCents'>[];
  now: Date;
  isReviewedSinceReturn: boolean;
  isReviewPublished: boolean;
  isRenterReviewed: boolean;
  isRenterReviewPublished: boolean;
  isRemoved: boolean;
  /** Whether the renter no longer reads the pick-up address. */
  isPlaceHidden: boolean;
  /** The reporters of the open problems; null for the system. */
  openProblemsBy: (string | null)[];
}

type Viewer = Pick<Caller, 'userId' | 'role' | 'accountRole'>;

const viewed = `SELECT ${bookingColumns}, coalesce(v.rating, 0) AS rating,
    coalesce(r.first_name, '') AS "renterFirstName", coalesce(r.last_name, '') AS "renterLastName",
    coalesce(o.first_name, '') AS "ownerFirstName", coalesce(o.last_name, '') AS "ownerLastName",
    coalesce(o.country, '') AS country, coalesce(o.state, '') AS state, coalesce(o.city, '') AS city,
    coalesce(o.address, '') AS address, b.cancelled_by AS "cancelledBy", b.cancelled_at AS "cancelledAt",
    b.cancel_cause AS "cancelCause", b.cancel_reason AS "cancelReason",
    greatest(0, m.given - m.granted - m.changed) AS "cancelledCents", m.paid AS "paidCents",
    m.outside + m.given AS "refundedCents", m.refundable AS "refundableCents", m.held AS "heldCents", m.shares, now(),
    coalesce(v.created_at >= b.returned_at, false) AS "isReviewedSinceReturn",
    v.published_at IS NOT NULL AS "isReviewPublished", rv.id IS NOT NULL AS "isRenterReviewed",
    rv.published_at IS NOT NULL AS "isRenterReviewPublished", t.removed_at IS NOT NULL AS "isRemoved",
    ${isPlaceHiddenSql} AS "isPlaceHidden",
    ARRAY(SELECT reported_by FROM booking_problems WHERE booking_id = b.id AND settled_at IS NULL) AS "openProblemsBy"
  FROM bookings b
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(a.amount_cents), 0)::int AS paid, coalesce(sum(a.outside_cents), 0)::int AS outside,
      coalesce(sum(least(a.refunded_cents, a.amount_cents - a.outside_cents - a.lost_cents)), 0)::int AS given,
      coalesce(sum(a.returnable_cents), 0)::int AS refundable,
      coalesce(sum(a.returnable_cents - a.left_cents), 0)::int AS held,
      coalesce(json_agg(json_build_object('paymentId', p.id, 'leftCents', a.returnable_cents)
        ORDER BY p.succeeded_at, p.id) FILTER (WHERE a.amount_cents > 0), '[]') AS shares,
      (SELECT coalesce(sum(amount_cents), 0)::int FROM refund_grants WHERE booking_id = b.id) AS granted,
      (SELECT coalesce(sum(refund_cents), 0)::int FROM booking_changes WHERE booking_id = b.id AND status = 'done') AS changed
    FROM allocations a JOIN payments p ON p.id = a.payment_id WHERE a.booking_id = b.id) m
  JOIN tools t ON t.id = b.tool_id
  LEFT JOIN people r ON r.id = b.user_id
  LEFT JOIN people o ON o.id = b.owner_id
  LEFT JOIN reviews v ON v.booking_id = b.id
  LEFT JOIN renter_reviews rv ON rv.booking_id = b.id`;

interface BookingsQuery {
  viewer: Viewer;
  limit: number;
  before: string | null;
  when: 'open' | 'over' | null;
  days: { from: string; to: string } | null;
}

/** Selects bookings that overlap the days in some time zone, are overdue, or have an open change (which may move them). */
const onDays = `(b.starts_at < $6::date + 2 AND b.ends_at > $5::date - 1
  OR b.status = 'confirmed' AND b.ends_at < now()
  OR EXISTS (SELECT FROM approvals WHERE booking_id = b.id AND change_id IS NOT NULL AND status IN ('pending', 'accepted')))`;

/** A page of an owner's or a renter's bookings and requests, newest first, without drafts. */
export const pageOfBookings = async (
  db: Db,
  whose: 'owner_id' | 'user_id',
  { viewer, limit, before, when, days }: BookingsQuery,
): Promise<Booking[]> => {
  const { rows } = await db.query<ViewRow>(
    `${viewed} WHERE ${isShownSql} AND b.${whose} = $3 AND ($2::uuid IS NULL OR b.id < $2)
       AND ($4::text IS NULL OR (b.status IN ('requested', 'confirmed')) = ($4 = 'open'))
       AND ($5::date IS NULL OR ${onDays})
     ORDER BY b.id DESC LIMIT $1`,
    [limit, before, viewer.userId, when, days?.from ?? null, days?.to ?? null],
  );
  return toBookings(db, rows, viewer);
};

interface AllBookingsQuery {
  viewer: Viewer;
  limit: number;
  before: string | null;
  q: string | null;
  status: BookingStatus | null;
  userId: string | null;
  isOverdue: boolean;
}

/** Rentals that are over without a confirmed return. Matches the predicate of the index `bookings_confirmed_by_end`. */
const isOverdueSql = `b.status = 'confirmed' AND b.booked_at IS NOT NULL AND b.ends_at < now()`;

/** How many returns are unconfirmed, and the end of the rental that ended first. */
export const sumOverdue = async (db: Db): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await db.query<{ count: number; since: Date | null }>(
    `SELECT count(*)::int, min(ends_at) AS since FROM bookings b WHERE ${isOverdueSql}`,
  );
  return rows[0] ?? { count: 0, since: null };
};

/** Searches by the ids of people whose name matches, so that each name is compared once, not once per booking. */
const foundBookings = `${isShownSql}
  AND ($1::text IS NULL OR b.code ILIKE $1 OR b.name ILIKE $1
    OR b.user_id = ANY ($4::uuid[]) OR b.owner_id = ANY ($4::uuid[]))
  AND ($2::text IS NULL OR b.status = $2)
  AND ($3::uuid IS NULL OR b.user_id = $3 OR b.owner_id = $3)`;

/** A search by name includes at most this many people. */
const mostPeople = 1_000;

/** A page of all matching bookings and requests, newest first. The first page includes their total. */
export const searchBookings = async (
  db: Db,
  { viewer, limit, before, q, status, userId, isOverdue }: AllBookingsQuery,
): Promise<{ bookings: Booking[] } & ListTotal> => {
  const pattern = containing(q);
  const people = pattern
    ? await db.query<{ id: string }>(
        `SELECT id FROM people WHERE first_name || ' ' || last_name ILIKE $1 ORDER BY id LIMIT $2`,
        [pattern, mostPeople],
      )
    : { rows: [] };
  const values = [pattern, status, userId, people.rows.map(({ id }) => id)];
  const isNarrowed = pattern !== null || status !== null || userId !== null || isOverdue;
  const matching = isOverdue ? `${foundBookings} AND ${isOverdueSql}` : foundBookings;
  const [page, count] = await Promise.all([
    db.query<ViewRow>(
      `${viewed} WHERE ${matching} AND ($5::uuid IS NULL OR b.id < $5) ORDER BY b.id DESC LIMIT $6`,
      [...values, before, limit],
    ),
    before === null &&
      countListed(db, {
        rows: `FROM bookings b WHERE ${matching}`,
        values,
        isNarrowed,
      }),
  ]);
  const bookings = await toBookings(db, page.rows, viewer);
  return { bookings, ...count };
};

const toBookings = async (db: Db, rows: ViewRow[], viewer: Viewer): Promise<Booking[]> => {
  const approvals = await findLatestApprovals(
    db,
    rows.map(({ id }) => id),
  );
  const changeIds = approvals.flatMap(({ changeId }) => changeId ?? []);
  const toDecide = approvals
    .filter(({ status }) => status === 'pending')
    .map(({ bookingId }) => bookingId)
    .filter((bookingId) =>
      rows.some(({ id, userId }) => id === bookingId && userId !== viewer.userId),
    );
  const [changes, renters] = await Promise.all([
    changeIds.length > 0 ? findChanges(db, changeIds) : [],
    toDecide.length > 0 ? findRenterFacts(db, toDecide) : [],
  ]);
  return rows.map((row) => {
    const approval = approvals.find(({ bookingId }) => bookingId === row.id);
    const change = changes.find(({ id }) => id === approval?.changeId);
    const renter = renters.find(({ bookingId }) => bookingId === row.id);
    return toBooking(row, { viewer, approval, change, renter });
  });
};

/** @throws AppError BOOKING_NOT_FOUND for a draft, and for a user who is neither a party nor an admin */
const readRow = async (db: Db, id: string, viewer: Viewer) => {
  const { rows } = await db.query<ViewRow>(`${viewed} WHERE b.id = $1 AND ${isShownSql}`, [id]);
  const by = rows[0] && actorOf(rows[0], viewer);
  if (!by) throw bookingNotFound();
  return { row: rows[0] as ViewRow, by };
};

/** Reads a booking for a party or an admin, with the database's current time. */
export const readBookingRow = async (
  db: Db,
  id: string,
  viewer: Viewer,
): Promise<{ row: BookingRow; now: Date }> => {
  const { row } = await readRow(db, id, viewer);
  return { row, now: row.now };
};

/** What a cancellation by the viewer would refund now. @throws AppError BOOKING_NOT_FOUND and the errors of `cancel` */
export const readCancelPreview = async (
  db: Db,
  id: string,
  viewer: Viewer,
): Promise<{ parties: string[]; preview: CancelPreview }> => {
  const { row, by } = await readRow(db, id, viewer);
  const { now, rating, refundableCents: leftCents } = row;
  cancel(row, by, { now, isReviewed: rating > 0 });
  return {
    parties: [row.userId, row.ownerId],
    preview: previewCancel(row, by, { now, leftCents }),
  };
};

/** Renders a booking for a party or an admin. @throws AppError BOOKING_NOT_FOUND for a draft or any other user */
export const readBooking = async (db: Db, id: string, viewer: Viewer): Promise<Booking> => {
  const { row } = await readRow(db, id, viewer);
  const isOwner = viewer.role !== 'Admin' && viewer.userId === row.ownerId;
  const [[booking], unpaidChange, changes, problems, paymentIds, renterReview] = await Promise.all([
    toBookings(db, [row], viewer),
    findUnpaidChange(db, id),
    row.changeCount > 0 ? findDoneChanges(db, id) : [],
    findProblemsOf(db, id),
    isOwner ? undefined : findPaymentIds(db, id),
    row.isRenterReviewed ? findRenterReview(db, id) : null,
  ]);
  const isReadable = row.isRenterReviewPublished || row.userId !== viewer.userId;
  return {
    ...(booking as Booking),
    unpaidChange: unpaidChange ? toUnpaidChange(unpaidChange, row.userId === viewer.userId) : null,
    changes: changes.map(toChange),
    problems: problems.map((problem) => toProblem(problem, row, viewer)),
    ...(paymentIds && { paymentIds }),
    renterReview: isReadable ? renterReview : null,
    settlement: viewer.role === 'Admin' ? await findSettlement(db, id) : null,
  };
};

const toProblem = (problem: ProblemRow, booking: BookingRow, viewer: Viewer) => {
  const isReader = viewer.role === 'Admin' || viewer.userId === problem.reportedBy;
  return {
    id: problem.id,
    kind: problem.kind,
    by: reporterOf(problem, booking),
    text: isReader ? problem.text : null,
    openedAt: problem.openedAt.toISOString(),
    settledAt: problem.settledAt?.toISOString() ?? null,
    note: problem.note,
  };
};

const timeOf = (rental: WantedRental) => ({
  quantity: rental.quantity,
  start_date: rental.startDate,
  start_time: rental.startTime,
  end_date: rental.endDate,
  end_time: rental.endTime,
});

const toUnpaidChange = (change: UnpaidChange, isRenter: boolean) => ({
  ...timeOf(change),
  ...(isRenter && { holdId: change.holdId }),
  expiresAt: change.expiresAt.toISOString(),
  dueCents: change.dueCents,
  onRequest: change.onRequest,
});

/** What the owner earns, for the owner and admins. `change`: a change that is not made yet. */
const toEarnings = (row: ViewRow, viewer: Viewer, change?: BookingChange): Booking['earnings'] => {
  if (row.userId === viewer.userId) return null;
  const isRequested = row.status === 'requested';
  const shares = sharesAfterChange(row.shares, change ?? { dueCents: 0, refundCents: 0 });
  const earnings = earningsOf(isRequested ? [row.totalCents] : shares, row.commission);
  if (!earnings) return null;
  const { grossCents, feeCents } = earnings;
  return {
    gross: toDollars(grossCents),
    fee: toDollars(feeCents),
    net: toDollars(grossCents - feeCents),
  };
};

const toApproval = (row: ViewRow, seen: Seen): Booking['approval'] => {
  const { viewer, approval, change, renter } = seen;
  if (!approval) return null;
  const isRenter = row.userId === viewer.userId;
  return {
    id: approval.id,
    status: approval.status,
    requestedAt: approval.requestedAt.toISOString(),
    answerBy: approval.answerBy.toISOString(),
    chargesAt:
      !isRenter && isAcceptanceDelayed(approval)
        ? (approval.chargesAt?.toISOString() ?? null)
        : null,
    renter: isRenter || !renter ? null : toRenterFacts(renter),
    note: approval.note,
    by: approval.endedBy,
    change: change
      ? {
          id: change.id,
          ...timeOf(change),
          payment: toDollars(change.totalCents),
          dueCents: change.dueCents,
          refundCents: change.refundCents,
          keptCents: change.keptCents,
          earnings: toEarnings(row, viewer, change),
        }
      : null,
  };
};

const toRenterFacts = ({ bookingId: _, memberSince, ...facts }: RenterFactsRow): RenterFacts => ({
  ...facts,
  memberSince: memberSince?.toISOString() ?? null,
});

const toChange = (change: DoneChange) => {
  const { before, doneAt, dueCents, refundCents, keptCents, isApproved } = change;
  return {
    at: doneAt.toISOString(),
    before: { ...timeOf(before), payment: toDollars(before.totalCents) },
    paid: toDollars(dueCents),
    refunded: toDollars(refundCents),
    kept: toDollars(keptCents),
    ...(isApproved && { accepted: true }),
  };
};

const actionsOf = (row: ViewRow, viewer: Viewer, approval: ShownApproval | undefined) => {
  const actions = allowedActions(row, viewer, {
    ...row,
    isReviewed: row.rating > 0,
    hasReported: row.openProblemsBy.includes(viewer.userId),
    leftCents: row.refundableCents - row.heldCents,
    approval: approval ?? null,
  });
  return actorOf(row, viewer) === 'admin'
    ? actions.filter((action) => mayAsAdmin(viewer, action))
    : actions;
};

/** What an admin may do with a booking of others, by the permission of its route. */
const routesOfAdmins: Partial<Record<BookingAction, Route>> = {
  cancel: routes.cancelBooking,
  refund: routes.refundBooking,
  acceptReturn: routes.updateBooking,
  undoReturn: routes.undoReturn,
  decline: routes.declineApproval,
};

const mayAsAdmin = ({ accountRole }: Viewer, action: BookingAction): boolean => {
  const permission = routesOfAdmins[action]?.permission;
  return permission === undefined || may(accountRole, permission);
};

const toCancellation = (row: ViewRow): Booking['cancellation'] =>
  row.cancelledBy && row.cancelledAt
    ? {
        by: row.cancelledBy,
        at: row.cancelledAt.toISOString(),
        cause: row.cancelCause,
        // Omit the system's reason: it is for notices and emails, and the web app has its own text for each cause.
        reason: row.cancelCause ? '' : (row.cancelReason ?? ''),
        refund: toDollars(row.cancelledCents),
      }
    : null;

/** What a cancellation by the viewer would refund or, unless the booking is confirmed, what is left of its payments. */
const refundableTo = (row: ViewRow, viewer: Viewer): number => {
  const by = actorOf(row, viewer);
  const leftCents = row.refundableCents;
  return by && row.status === 'confirmed'
    ? previewCancel(row, by, { now: row.now, leftCents }).refundCents
    : leftCents;
};

export const bookingStatus: Record<BookingStatus, Booking['booking_status']> = {
  held: 'Held',
  confirmed: 'Booked',
  returned: 'Returned',
  completed: 'Completed',
  cancelled: 'Cancelled',
  expired: 'Expired',
  requested: 'Requested',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  lapsed: 'Lapsed',
  failed: 'Failed',
};

interface Seen {
  viewer: Viewer;
  approval: ShownApproval | undefined;
  change: BookingChange | undefined;
  renter: RenterFactsRow | undefined;
}

/** Only for parties and admins: the result may include the pick-up address. */
const toBooking = (row: ViewRow, seen: Seen): Booking => {
  const { viewer, approval } = seen;
  const isActive = isInForce(row);
  const showsPlace = isActive && !(row.isPlaceHidden && row.userId === viewer.userId);
  const refundableCents = refundableTo(row, viewer);
  const isPaid = isActive || row.status === 'cancelled';
  return {
    id: row.id,
    booking_code: row.code,
    name: row.name,
    description: row.description,
    price: toDollars(row.priceCents),
    rating: row.isReviewPublished || row.ownerId !== viewer.userId ? row.rating : 0,
    reviews: {
      byRenter: row.rating > 0,
      byOwner: row.isRenterReviewed,
      closesAt: reviewsCloseAt(row)?.toISOString() ?? null,
    },
    payment: toDollars(row.totalCents),
    paid: toDollars(row.paidCents),
    discount: toDollars(row.discountCents),
    booking_status: bookingStatus[row.status],
    authorization: isPaid ? 'Authorized' : 'UnAuthorized',
    period: row.period,
    returned_status: row.returnedAt ? 'Returned' : 'null',
    rental_circle: row.circle,
    country: row.country,
    state: row.state,
    city: row.city,
    address: showsPlace ? row.address : null,
    start_date: row.startDate,
    start_time: row.startTime,
    end_date: row.endDate,
    end_time: row.endTime,
    pickup_date: row.startDate,
    rental_id: row.toolId,
    image: row.coverImage,
    cover_image: row.coverImage,
    quantity: row.quantity,
    googleMap: showsPlace
      ? `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(pickUpPlace(row))}`
      : '',
    toolOwnerId: row.ownerId,
    userId: row.userId,
    user: { id: row.userId, first_name: row.renterFirstName, last_name: row.renterLastName },
    toolOwner: { id: row.ownerId, first_name: row.ownerFirstName, last_name: row.ownerLastName },
    timeZone: row.timeZone,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    ...(row.bookedAt && { bookedAt: row.bookedAt.toISOString() }),
    cancellationPolicy: row.cancellationPolicy,
    refundPercentMost: row.changeCount > 0 ? row.mostPercent : null,
    changedAt: row.changedAt?.toISOString() ?? null,
    returnedAt: row.returnedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    hasOpenProblem: row.openProblemsBy.length > 0,
    approval: toApproval(row, seen),
    allowedActions: actionsOf(row, viewer, approval),
    cancellation: toCancellation(row),
    refunded: toDollars(row.refundedCents),
    refundable: toDollars(refundableCents),
    held: toDollars(Math.min(row.heldCents, refundableCents)),
    earnings: toEarnings(row, viewer),
    settlement: null,
  };
};
