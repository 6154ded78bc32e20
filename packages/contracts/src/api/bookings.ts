import { z } from 'zod';
import { disputeState } from '../events/payments.ts';
import { password } from './accounts.ts';
import { itemStatus, rentalCircle } from './catalog.ts';
import {
  bounded,
  date,
  fewDays,
  fields,
  id,
  idOf,
  ignoredId,
  imagePath,
  isFewDays,
  listTotal,
  longText,
  nearDate,
  nextCursor,
  numeric,
  page,
  person,
  time,
  wholeNumber,
  words,
} from './common.ts';
import { problemKind, problemReporter } from './problems.ts';
import { cancellationPolicy, terms } from './terms.ts';

export const bookingCode = z.string().regex(/^LT[1-9]\d{5}$/);

const bookingAction = z.enum([
  'cancel',
  'change',
  'acceptReturn',
  'undoReturn',
  'review',
  'reportProblem',
  'refund',
  'accept',
  'decline',
  'withdraw',
  'acceptChange',
  'declineChange',
  'withdrawChange',
]);
export type BookingAction = z.infer<typeof bookingAction>;

/** `Lapsed`: the owner did not answer in time. `Failed`: accepted, but the card could not be charged. */
const endedRequest = ['Declined', 'Withdrawn', 'Lapsed', 'Failed'] as const;

/** The documented fields for dates, times and quantity. */
const rentalTime = {
  quantity: z.number().int(),
  start_date: z.string(),
  start_time: z.string(),
  end_date: z.string(),
  end_time: z.string(),
};

/** `dispute-lost`: a bank returned the payment to the cardholder. */
const cancelCause = z.enum(['owner-disabled', 'dispute-lost']);
export type CancelCause = z.infer<typeof cancelCause>;

export const booking = z.object({
  id,
  booking_code: z.string(),
  name: z.string(),
  description: z.string(),
  /** Unit price in dollars at the time of booking. */
  price: z.number(),
  /** The renter's stars for this booking; 0 without a review. */
  rating: z.number(),
  /**
   * Price in dollars: price x period x quantity, less the discount.
   * Equals the amount paid unless the booking was changed.
   */
  payment: z.number(),
  /**
   * Total dollars paid, including changes; refunds are not subtracted. 0 for a request. Missing from replies of the
   * previous version.
   */
  paid: z.number().optional(),
  /** Length discount in dollars. */
  discount: z.number().optional(),
  booking_status: z.enum([
    'Held',
    'Booked',
    'Returned',
    'Completed',
    'Cancelled',
    'Expired',
    'Requested',
    ...endedRequest,
  ]),
  /** Set for bookings that were made on request; null for others. Missing from replies of the previous version. */
  request: z
    .object({
      /** Deadline for the owner's answer; after it the request lapses. */
      answerBy: z.iso.datetime(),
      /** While this is set and the status is still `Requested`, the card is being charged. */
      acceptedAt: z.iso.datetime().nullable(),
      /** The owner's note on declining. */
      note: z.string(),
      /** Who ended the request; null while it is open. Missing from replies of the previous version. */
      by: z.enum(['renter', 'owner', 'admin', 'system']).nullish(),
    })
    .nullish(),
  authorization: z.enum(['UnAuthorized', 'Authorized']),
  /** Whole days or hours, depending on `rental_circle`. */
  period: z.number().int(),
  returned_status: z.enum(['null', 'Returned']),
  rental_circle: rentalCircle,
  country: z.string(),
  state: z.string(),
  city: z.string(),
  /** Pick-up address; null except for the parties of a paid booking and admins. */
  address: z.string().nullable(),
  start_date: z.string(),
  start_time: z.string(),
  end_date: z.string(),
  end_time: z.string(),
  pickup_date: z.string(),
  rental_id: id,
  image: imagePath,
  cover_image: imagePath,
  quantity: z.number().int(),
  /** Map link to the pick-up place; empty where the address is hidden. */
  googleMap: z.string(),
  toolOwnerId: id,
  userId: id,
  user: person,
  toolOwner: person,
  timeZone: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  bookedAt: z.iso.datetime().optional(),
  /** The policy at the time of booking; null for none, which means fully refundable until the start. */
  cancellationPolicy: cancellationPolicy.nullable().optional(),
  /** Cap in percent on what a cancellation refunds after a change; null for bookings that were never changed. */
  refundPercentMost: z.number().int().nullish(),
  changedAt: z.iso.datetime().nullish(),
  /**
   * A change that the renter has not paid for yet. Only in single-booking replies to parties and admins; only the
   * renter gets `holdId`.
   */
  openChange: z
    .object({
      holdId: id.optional(),
      expiresAt: z.iso.datetime(),
      dueCents: z.number().int(),
      /** Paying it authorizes the card, which is charged if the owner accepts. */
      onRequest: z.boolean().optional(),
      ...rentalTime,
    })
    .nullish(),
  /**
   * The latest change that the owner had to answer, unless the booking changed since. Only for parties and admins;
   * lists include it only while `asked` or `accepted`. `accepted`: the card is being charged. `ended`: the booking
   * ended first. After a dispute the state is `lapsed` or, once accepted, `failed`; a change with an authorized card
   * is `ended` until the `end-changes` job runs.
   */
  changeRequest: z
    .object({
      id,
      state: z.enum(['asked', 'accepted', 'declined', 'withdrawn', 'lapsed', 'failed', 'ended']),
      ...rentalTime,
      /** New price of the booking in dollars. */
      payment: z.number(),
      dueCents: z.number().int(),
      refundCents: z.number().int(),
      keptCents: z.number().int(),
      askedAt: z.iso.datetime(),
      answerBy: z.iso.datetime(),
      /** The owner's note on declining. */
      note: z.string(),
    })
    .nullish(),
  /** The booking before each change, oldest first. Only in single-booking replies to parties and admins. */
  changes: z
    .array(
      z.object({
        at: z.iso.datetime(),
        before: z.object({ ...rentalTime, payment: z.number() }),
        /** Dollars paid for the change, or refunded. */
        paid: z.number(),
        refunded: z.number(),
        /** Dollars of the price difference that the owner kept. Missing from replies of the previous version. */
        kept: z.number().optional(),
        /** The owner accepted the change; absent if no answer was needed. */
        accepted: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Whether an open problem blocks completion. Missing from replies of the previous version. */
  hasOpenProblem: z.boolean().optional(),
  /** Oldest first. Only in single-booking replies to parties and admins. */
  problems: z
    .array(
      z.object({
        id,
        kind: problemKind,
        by: problemReporter,
        /** Null except for the reporter and admins. */
        text: z.string().nullable(),
        openedAt: z.iso.datetime(),
        settledAt: z.iso.datetime().nullable(),
        /** The admin's note to both parties on settling it. */
        note: z.string(),
      }),
    )
    .optional(),
  /** When the return was confirmed; it can be undone for a minute. */
  returnedAt: z.iso.datetime().nullable(),
  /**
   * When it was completed; only a return and a review are possible
   * afterwards. Missing from replies of the previous version.
   */
  completedAt: z.iso.datetime().nullish(),
  /**
   * When it completes automatically unless a problem is reported or the booking changes; null if it is over or has an
   * open problem. Only in single-booking replies to parties and admins. Missing from replies of the previous version.
   */
  completesAt: z.iso.datetime().nullish(),
  /** Actions that the caller may take now; the API rejects all others. */
  allowedActions: z.array(bookingAction),
  /** Null unless the booking is cancelled. */
  cancellation: z
    .object({
      by: z.enum(['renter', 'owner', 'admin']),
      at: z.iso.datetime(),
      /** Why the system cancelled it; null if a person did. Missing from replies of the previous version. */
      cause: cancelCause.nullish(),
      /** Empty without a reason. Missing from replies of the previous version. */
      reason: z.string().optional(),
      refund: z.number(),
    })
    .nullable(),
  /** Dollars refunded to the card, including pending refunds, for any reason. */
  refunded: z.number(),
  /** Dollars that a cancellation by the caller would refund now; once it can't be cancelled, the remainder. */
  refundable: z.number(),
  /** The part of `refundable` that a bank holds in a dispute; it is refunded only after the dispute. */
  held: z.number(),
  /** Remaining money details. Only in single-booking replies to admins; null for everybody else. */
  settlement: z
    .object({
      /** Dollars that an admin may still refund. */
      refundable: z.number(),
      /** The booking's share, by price, of dollars refunded in Stripe's dashboard. */
      refundedAtStripe: z.number(),
      /** Dollars of its payments that a bank holds or has taken back. */
      disputed: z.number(),
      dispute: disputeState.nullable(),
      /** Refunds that admins made here, oldest first. */
      refunds: z.array(
        z.object({ amount: z.number(), reason: z.string(), at: z.iso.datetime(), by: person }),
      ),
    })
    .nullable(),
});
export type Booking = z.infer<typeof booking>;

const startDate = date('Please select your start date');
const endDate = date('Please select your returning date');

const quantity = numeric(
  z
    .number('Please choose how many')
    .int('Please choose a whole number')
    .min(1, 'Please choose at least one')
    .max(50, 'Please choose at most 50'),
);
const requestedTime = {
  start_date: startDate,
  start_time: time.default(''),
  end_date: endDate,
  end_time: time.default(''),
};

/** A cart line; times may be empty for daily tools. Prices come from the server only. */
export const holdLine = fields({
  rental_id: idOf('Please choose a tool'),
  quantity: quantity.default(1),
  ...requestedTime,
  booking_code: bounded(20, 'A booking code is LT and six digits').optional(),
});
export type HoldLine = z.infer<typeof holdLine>;

export const holdBody = fields({
  lines: z
    .array(holdLine, 'Your cart is empty')
    .min(1, 'Your cart is empty')
    .max(20, 'At most 20 tools at once'),
});

export const hold = z.object({
  id,
  amountCents: z.number().int(),
  /** Same value, required by tabs of the previous release. TODO: remove in the next release. */
  amount: z.number().int().optional(),
  currency: z.literal('usd'),
  expiresAt: z.iso.datetime(),
  /** Paying it authorizes the card, which is charged if the owner accepts. */
  onRequest: z.boolean().optional(),
  lines: z.array(
    z.object({
      id,
      rental_id: id,
      name: z.string(),
      booking_code: z.string(),
      price: z.number(),
      rental_circle: rentalCircle,
      period: z.number().int(),
      quantity: z.number().int(),
      /** Length discount in dollars. */
      discount: z.number().optional(),
      cancellationPolicy: cancellationPolicy.nullable().optional(),
      paymentDue: z.number(),
      start_date: z.string(),
      start_time: z.string(),
      end_date: z.string(),
      end_time: z.string(),
    }),
  ),
});
export type Hold = z.infer<typeof hold>;
export const holdReply = z.object({ hold });
export const holdParams = fields({ userId: id, holdId: id });

/**
 * The documented booking fields. Everything except the tool,
 * the dates, the quantity and the requested code is ignored.
 */
export const addRentalBookingBody = holdLine;
export const rentalReply = z.object({ rental: booking });

/** The documented update: only `returned_status: "Returned"` changes anything. */
export const updateBookingBody = fields({
  returned_status: z.enum(['null', 'Returned'], 'Please say whether the tool is returned'),
});
const note = longText('a note', 500).optional();
export const declineRequestBody = fields({ note });
/** Names the change that the owner read, because a newer one may have replaced it. */
const changeId = idOf('Please name the change');
export const answerChangeBody = fields({ changeId });
export const declineChangeBody = fields({ changeId, note });
export const cancelBookingBody = fields({
  reason: longText('a reason', 500).optional(),
  /** Amount that the caller was shown; a different one is rejected. If absent, the policy's amount is refunded. */
  refundCents: wholeNumber(
    0,
    1_000_000_000,
    'Please send the cents that the preview says',
  ).optional(),
});
export const cancelBookingReply = z.object({
  message: z.string(),
  rental: booking,
  refundCents: z.number().int(),
});

const cents = z.number().int();
const cancelPreview = z.object({
  policy: cancellationPolicy.nullable(),
  /** Share of the price; 100 if the owner or an admin cancels. */
  percent: z.number().int(),
  /** Refund, at most what earlier refunds have left. */
  refundCents: cents,
  /** What the owner keeps. */
  keptCents: cents,
  /** When these numbers stop being valid; null if they are valid as long as it can be cancelled. */
  until: z.iso.datetime().nullable(),
  /** The step after `until`; null if nothing changes or the renter can no longer cancel. */
  next: z.object({ percent: z.number().int(), refundCents: cents }).nullable(),
});
export type CancelPreview = z.infer<typeof cancelPreview>;
export const cancelPreviewReply = z.object({ preview: cancelPreview });
/** Extra problem fields of REFUND_CHANGED. */
export interface RefundChanged {
  preview: CancelPreview;
}

const requestedChange = { quantity, ...requestedTime };
export const changeQuery = fields(requestedChange);
const changePreview = z.object({
  /** Price now, and after the change. */
  paidCents: cents,
  totalCents: cents,
  /** Days or hours, and the length discount. */
  period: z.number().int(),
  discountCents: cents,
  dueCents: cents,
  /** Refunded to the card, and the part of the difference that the owner keeps. */
  refundCents: cents,
  keptCents: cents,
  policy: cancellationPolicy.nullable(),
  /** Share of the difference that the policy refunds now. */
  percent: z.number().int(),
  /** Remaining changes, including this one; absent if the change is rejected. */
  changesLeft: z.object({ today: z.number().int(), inAll: z.number().int() }).optional(),
  /** Deadline for the owner's answer if the change is requested now; null if no answer is needed. */
  answerBy: z.iso.datetime().nullish(),
});
export type ChangePreview = z.infer<typeof changePreview>;
export const changePreviewReply = z.object({ preview: changePreview });
/** Extra problem fields of CHANGE_PRICED_ANEW. */
export interface ChangePricedAnew {
  preview: ChangePreview;
}
const shownCents = wholeNumber(
  0,
  1_000_000_000,
  'Please send the cents that the preview says',
).optional();
export const changeBookingBody = fields({
  ...requestedChange,
  /** Amounts that the renter was shown; different ones are rejected. If absent, the preview's amounts apply. */
  dueCents: shownCents,
  refundCents: shownCents,
});
/**
 * With a hold, the change applies once the hold is paid, like a cart's. With `onRequest`, paying authorizes the
 * renter's card, and the change applies once the owner has accepted and the card is charged. Without a hold, the
 * change has been applied or the owner has to accept it first; then the rental has a `changeRequest`.
 */
export const changeBookingReply = z.object({
  message: z.string(),
  rental: booking,
  hold: z
    .object({
      id,
      amountCents: cents,
      currency: z.literal('usd'),
      expiresAt: z.iso.datetime(),
      onRequest: z.boolean().optional(),
    })
    .nullable(),
});

export const refundBookingBody = fields({
  amountCents: numeric(
    z
      .number('Please enter an amount in cents')
      .int('Please enter whole cents')
      .min(1, 'The amount must be more than $0')
      .max(10_000_000, 'The amount can be at most $100,000'),
  ),
  reason: longText('a reason', 500),
});
export const refundBookingReply = z.object({ message: z.string(), rental: booking });

export const bookingsQuery = fields({
  ...page,
  /** `open`: requested, or paid and neither returned nor cancelled. `over`: the rest. */
  when: z.enum(['open', 'over'], 'Please ask for open or over').optional(),
});
/** `q` matches part of the code, of the tool's name or of a party's name; `userId` matches either party. */
export const allBookingsQuery = fields({
  ...page,
  q: words.optional(),
  status: z
    .enum(
      ['Requested', 'Booked', 'Returned', 'Completed', 'Cancelled', ...endedRequest],
      'Please ask for a status',
    )
    .optional(),
  userId: id.optional(),
});
export const bookingsReply = z.object({ bookings: z.array(booking), nextCursor });
export const allBookingsReply = z.object({
  bookings: z.array(booking),
  ...listTotal,
  nextCursor,
});
export const bookingReply = z.object({ booking });

/**
 * What renters paid, less refunds and what banks took back in disputes; money that a bank only holds still counts.
 * `earnedCents`: rentals that have begun, are returned or were cancelled. `toComeCents`: upcoming rentals.
 */
const earnings = { earnedCents: z.number().int(), toComeCents: z.number().int() };
export const earningsReply = z.object({
  /** Each tool that still exists and was ever booked; `rentals` counts the rentals in its sums. */
  tools: z.array(z.object({ rental_id: id, ...earnings, rentals: z.number().int() })),
  /** For all tools, including removed ones. */
  total: z.object(earnings),
});

/** When the current calendar address was created; null if there is none. */
const since = z.iso.datetime().nullable();
export const calendarFeedReply = z.object({ since });
export const calendarFeedBody = fields({ password });
/** The calendar's path. Returned only here, because the database stores only its hash. */
export const calendarAddressReply = z.object({ path: z.string(), since });
const noCalendar = 'This is not the address of a calendar';
export const calendarParams = fields({
  name: bounded(47, noCalendar).regex(/^[\w-]{43}\.ics$/, noCalendar),
});

export const review = z.object({
  id,
  comment: z.string(),
  rating: z.number().int(),
  rental_id: id,
  rentalBookings: z.object({ id }),
  user: z.object({
    first_name: z.string(),
    last_name: z.string(),
    city: z.string(),
    image: imagePath,
  }),
  createdAt: z.iso.datetime(),
});
export type Review = z.infer<typeof review>;
export const reviewsQuery = fields({
  ...page,
  rental_id: id.optional(),
  rentalBooking_id: id.optional(),
});
export const reviewsReply = z.object({
  reviews: z.array(review),
  nextCursor,
  /** Number of reviews of the requested tool with 1, 2, 3, 4 and 5 stars; null if no tool was requested. */
  counts: z.array(z.number().int()).length(5).nullable(),
});
/** The public view of a tool's owner. */
export const ownerReply = z.object({
  owner: z.object({
    id,
    first_name: z.string(),
    city: z.string(),
    state: z.string(),
    image: imagePath,
    /** Mean of the reviews of all the owner's tools, 0 to 5; 0 without reviews. */
    rating: z.number(),
    reviewCount: z.number().int(),
    /** Paid bookings that were not cancelled. */
    rentals: z.number().int(),
  }),
});
export type OwnerCard = z.infer<typeof ownerReply>['owner'];
/** `rental_id` is documented and ignored, because the booking has its tool. */
export const addReviewBody = fields({
  rentalBooking_id: idOf('Please choose a booking'),
  rental_id: ignoredId,
  rating: wholeNumber(1, 5, 'Please choose 1 to 5 stars'),
  comment: longText('your review', 2000),
});
export const addReviewReply = z.object({ message: z.string(), review });

export const availabilityQuery = fields({
  from: nearDate,
  to: nearDate,
  /** The caller's booking that is about to change; its own units count as free. */
  booking_id: id.optional(),
}).refine(isFewDays, fewDays);
const whyTaken = z.enum(['booked', 'held']);
const instantSpan = { from: z.iso.datetime(), to: z.iso.datetime() };
export const availabilityReply = z.object({
  availability: z.object({
    item_status: itemStatus,
    rental_circle: rentalCircle,
    timeZone: z.string(),
    quantity: z.number().int(),
    /** The owner's terms that the days follow from; without the notes. */
    terms: terms.nullable(),
    days: z.array(
      z.object({
        date: z.iso.date(),
        /** Units that are free all day. */
        free: z.number().int(),
        /** Why no rental can begin or end on this day; a longer rental may span a day that is only `closed`. */
        why: z.enum(['booked', 'held', 'blocked', 'closed', 'too-soon']).nullable(),
        /** Hourly tools only: spans in which units may be picked up and brought back, with the number of free units. */
        intervals: z.array(z.object({ ...instantSpan, free: z.number().int() })).optional(),
      }),
    ),
    /** When each unit is taken, on these days and within the buffer around them. */
    taken: z.array(z.object({ unit: z.number().int(), ...instantSpan, why: whyTaken })),
  }),
});
export type Availability = z.infer<typeof availabilityReply>['availability'];

export const bookingStatsReply = z.object({
  total: z.number().int(),
  /** Prices of paid bookings; for cancelled ones, what their policies left to the owner. */
  revenueCents: z.number().int(),
  days: z.array(
    z.object({ day: z.iso.date(), bookings: z.number().int(), revenueCents: z.number().int() }),
  ),
});

/**
 * Internal: what payments needs to charge a hold. Replicas of
 * the previous version send and read the cents as `amount`.
 */
export const checkoutReply = z.object({
  amountCents: z.number().int().optional(),
  amount: z.number().int(),
  currency: z.literal('usd'),
  expiresAt: z.iso.datetime(),
  userId: id,
  /** The card is only authorized. Replicas of the previous version omit it and have no such holds. */
  onRequest: z.boolean().optional(),
});
