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

/** `Lapsed`: not answered in time. `Failed`: accepted, but the card could not be charged. */
const endedRequest = ['Declined', 'Withdrawn', 'Lapsed', 'Failed'] as const;

/** The documented fields of dates and times, and how many. */
const rentalTime = {
  quantity: z.number().int(),
  start_date: z.string(),
  start_time: z.string(),
  end_date: z.string(),
  end_time: z.string(),
};

/** `dispute-lost`: a bank has returned the payment to the cardholder. */
const cancelCause = z.enum(['owner-disabled', 'dispute-lost']);
export type CancelCause = z.infer<typeof cancelCause>;

export const booking = z.object({
  id,
  booking_code: z.string(),
  name: z.string(),
  description: z.string(),
  /** Unit price in dollars, as it was when booked. */
  price: z.number(),
  /** The renter's stars for this booking; 0 without a review. */
  rating: z.number(),
  /** The price in dollars: price x period x quantity, less the discount. What was paid, unless the booking was changed. */
  payment: z.number(),
  /**
   * Dollars paid for it in all, including its changes, whatever was refunded since; 0 for a request. Not said by the
   * release before.
   */
  paid: z.number().optional(),
  /** Dollars that the length of the rental took off. */
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
  /** Of a booking on request, from then on; null for others, and not said by the release before. */
  request: z
    .object({
      /** Until when the owner may answer; then it lapses. */
      answerBy: z.iso.datetime(),
      /** While it is accepted and still `Requested`, the card is being charged. */
      acceptedAt: z.iso.datetime().nullable(),
      /** What the owner wrote when they declined. */
      note: z.string(),
      /** Who ended it; null while it is open, and not said by the release before. */
      by: z.enum(['renter', 'owner', 'admin', 'system']).nullish(),
    })
    .nullish(),
  authorization: z.enum(['UnAuthorized', 'Authorized']),
  /** Whole days or hours, by `rental_circle`. */
  period: z.number().int(),
  returned_status: z.enum(['null', 'Returned']),
  rental_circle: rentalCircle,
  country: z.string(),
  state: z.string(),
  city: z.string(),
  /** Where to pick it up; null except for the parties of a paid booking and admins. */
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
  /** A link to the pick-up place on a map; empty where the address is not shown. */
  googleMap: z.string(),
  toolOwnerId: id,
  userId: id,
  user: person,
  toolOwner: person,
  timeZone: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** When it was paid. */
  bookedAt: z.iso.datetime().optional(),
  /** What it was booked under; null for none: everything comes back until the start. */
  cancellationPolicy: cancellationPolicy.nullable().optional(),
  /** The largest share in percent that a cancellation may still refund, of a booking that was changed; null for others. */
  refundPercentMost: z.number().int().nullish(),
  /** When its dates or its quantity last changed. */
  changedAt: z.iso.datetime().nullish(),
  /** A change that its renter has yet to pay for, for its parties and admins who ask for one booking; its hold is the renter's. */
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
   * The last change that the owner was asked about, unless it was made since; for its parties and admins. Lists have it only
   * while it is asked or accepted. `accepted`: the card is being charged. `ended`: with the booking. One that a
   * dispute ends has `lapsed` or, once accepted, `failed`; one with a card is `ended` for the moment until `end-changes` runs.
   */
  changeRequest: z
    .object({
      id,
      state: z.enum(['asked', 'accepted', 'declined', 'withdrawn', 'lapsed', 'failed', 'ended']),
      ...rentalTime,
      /** What the booking would cost, in dollars. */
      payment: z.number(),
      dueCents: z.number().int(),
      refundCents: z.number().int(),
      keptCents: z.number().int(),
      askedAt: z.iso.datetime(),
      answerBy: z.iso.datetime(),
      /** What the owner wrote who declined. */
      note: z.string(),
    })
    .nullish(),
  /** What it was before each change, oldest first, for its parties and admins who ask for one booking. */
  changes: z
    .array(
      z.object({
        at: z.iso.datetime(),
        before: z.object({ ...rentalTime, payment: z.number() }),
        /** Dollars that were paid for it, or refunded. */
        paid: z.number(),
        refunded: z.number(),
        /** Dollars of a lower price that stayed with the owner; not said by the release before. */
        kept: z.number().optional(),
        /** The owner was asked, and accepted. */
        accepted: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Whether an open problem keeps it from being completed; not said by the release before. */
  hasOpenProblem: z.boolean().optional(),
  /** Its problems, oldest first, for its parties and admins who ask for one booking. */
  problems: z
    .array(
      z.object({
        id,
        kind: problemKind,
        by: problemReporter,
        /** Null except for who reported it, and for admins. */
        text: z.string().nullable(),
        openedAt: z.iso.datetime(),
        settledAt: z.iso.datetime().nullable(),
        /** What the admin who settled it wrote to both parties. */
        note: z.string(),
      }),
    )
    .optional(),
  /** When its return was confirmed, which can be undone for a minute. */
  returnedAt: z.iso.datetime().nullable(),
  /** When it was completed: nothing but its return and a review follows. Missing from replies of the previous version. */
  completedAt: z.iso.datetime().nullish(),
  /**
   * When it completes by itself unless a problem is reported or it changes, for its parties and admins who ask for one
   * booking; null if it is over or has an open problem. Missing from replies of the previous version.
   */
  completesAt: z.iso.datetime().nullish(),
  /** What the caller may do with it now; anything else would be refused. */
  allowedActions: z.array(bookingAction),
  /** Null unless the booking is cancelled. */
  cancellation: z
    .object({
      by: z.enum(['renter', 'owner', 'admin']),
      at: z.iso.datetime(),
      /** Why the system cancelled it; null where a person did. Missing from replies of the previous version. */
      cause: cancelCause.nullish(),
      /** What the person who cancelled it wrote; empty without. Missing from replies of the previous version. */
      reason: z.string().optional(),
      refund: z.number(),
    })
    .nullable(),
  /** Dollars refunded to the card or on their way, for whatever reason. */
  refunded: z.number(),
  /** Dollars that a cancellation by the caller refunds now; once there is none to make, what is left. */
  refundable: z.number(),
  /** Of `refundable`, what a bank holds in a dispute: it waits until that is over. */
  held: z.number(),
  /** The rest of the money, for admins who ask for one booking; null for everybody else. */
  settlement: z
    .object({
      /** Dollars that an admin may still refund. */
      refundable: z.number(),
      /** Dollars refunded in Stripe's dashboard: the booking's share, by price. */
      refundedAtStripe: z.number(),
      /** Dollars of its payments that a bank holds, or keeps. */
      disputed: z.number(),
      dispute: disputeState.nullable(),
      /** What admins refunded here, oldest first. */
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
const askedTime = {
  start_date: startDate,
  start_time: time.default(''),
  end_date: endDate,
  end_time: time.default(''),
};

/** A line of the cart; times may be empty for daily tools. Prices are the server's own. */
export const holdLine = fields({
  rental_id: idOf('Please choose a tool'),
  quantity: quantity.default(1),
  ...askedTime,
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
  /** The same, for tabs of the previous release, which cannot pay without it. To be removed in the next one. */
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
      /** Dollars that the length of the rental takes off. */
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

/** The documented booking fields. Only the tool, the dates, the quantity and the requested code are read. */
export const addRentalBookingBody = holdLine;
export const rentalReply = z.object({ rental: booking });

/** The documented update: only `returned_status: "Returned"` changes anything. */
export const updateBookingBody = fields({
  returned_status: z.enum(['null', 'Returned'], 'Please say whether the tool is returned'),
});
const note = longText('a note', 500).optional();
export const declineRequestBody = fields({ note });
/** Whoever answers, answers what they have read: another change may have taken its place. */
const changeId = idOf('Please name the change');
export const answerChangeBody = fields({ changeId });
export const declineChangeBody = fields({ changeId, note });
export const cancelBookingBody = fields({
  reason: longText('a reason', 500).optional(),
  /** What the caller was shown: another amount is refused. Without it, what the policy says is refunded. */
  refundCents: wholeNumber(
    0,
    1_000_000_000,
    'Please send the cents that the preview says',
  ).optional(),
});
export const cancelBookingReply = z.object({
  message: z.string(),
  rental: booking,
  /** What is refunded to the renter's card. */
  refundCents: z.number().int(),
});

const cents = z.number().int();
const cancelPreview = z.object({
  policy: cancellationPolicy.nullable(),
  /** Of the price; the owner's and admins' cancellation refunds all of it. */
  percent: z.number().int(),
  /** What goes back: never more than is left after earlier refunds. */
  refundCents: cents,
  /** What then is left with the owner. */
  keptCents: cents,
  /** Until when that is so; null for as long as it can be cancelled. */
  until: z.iso.datetime().nullable(),
  /** What comes afterwards; null where nothing changes, or the renter can't cancel any more. */
  next: z.object({ percent: z.number().int(), refundCents: cents }).nullable(),
});
export type CancelPreview = z.infer<typeof cancelPreview>;
export const cancelPreviewReply = z.object({ preview: cancelPreview });
/** What REFUND_CHANGED adds to the fields of a problem. */
export interface RefundChanged {
  preview: CancelPreview;
}

/** What a booking is to be: all of its dates and times, and how many. */
const askedChange = { quantity, ...askedTime };
export const changeQuery = fields(askedChange);
const changePreview = z.object({
  /** What is paid for the booking as it is, and as it would be. */
  paidCents: cents,
  totalCents: cents,
  /** Days or hours, and what its length takes off. */
  period: z.number().int(),
  discountCents: cents,
  /** What is to be paid for it. */
  dueCents: cents,
  /** What goes back to the card, and what of the difference stays with the owner. */
  refundCents: cents,
  keptCents: cents,
  policy: cancellationPolicy.nullable(),
  /** Of the difference that goes back, by the policy now. */
  percent: z.number().int(),
  /** How many changes the booking may still have, this one included; not said where a change is refused. */
  changesLeft: z.object({ today: z.number().int(), inAll: z.number().int() }).optional(),
  /** Until when the owner would have to answer, if asked now; null where nobody is asked. */
  answerBy: z.iso.datetime().nullish(),
});
export type ChangePreview = z.infer<typeof changePreview>;
export const changePreviewReply = z.object({ preview: changePreview });
/** What CHANGE_PRICED_ANEW adds to the fields of a problem. */
export interface ChangePricedAnew {
  preview: ChangePreview;
}
const shownCents = wholeNumber(
  0,
  1_000_000_000,
  'Please send the cents that the preview says',
).optional();
export const changeBookingBody = fields({
  ...askedChange,
  /** What the renter was shown: another amount is refused. Without them, what the preview would say counts. */
  dueCents: shownCents,
  refundCents: shownCents,
});
/**
 * With a hold it is changed once that is paid, like a cart's; with `onRequest`, paying authorizes the renter's card, and the booking is
 * changed once the owner has accepted and the card is charged. Without a hold it is changed, or the owner is asked: then the rental's
 * `changeRequest` says so.
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
  /** Only those that are requested, or paid and neither returned nor cancelled, or only the others. */
  when: z.enum(['open', 'over'], 'Please ask for open or over').optional(),
});
/** `q` is a part of the code, of the tool's name or of a party's; `userId` is either party. */
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
 * What renters paid, less what went back to them and what a bank took back in a dispute; what a bank only holds
 * is counted. `earnedCents`: of rentals that have begun, are back or were cancelled; `toComeCents`: of those to come.
 */
const earnings = { earnedCents: z.number().int(), toComeCents: z.number().int() };
export const earningsReply = z.object({
  /** For each tool that is still listed and was ever booked; `rentals` counts those in its sums. */
  tools: z.array(z.object({ rental_id: id, ...earnings, rentals: z.number().int() })),
  /** For all tools, including removed ones. */
  total: z.object(earnings),
});

/** Since when the address of one's calendar is as it is; null without one. */
const since = z.iso.datetime().nullable();
export const calendarFeedReply = z.object({ since });
export const calendarFeedBody = fields({ password });
/** The path of the calendar, returned only here: the database has just its hash. */
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
  /** How many reviews of the asked tool gave 1, 2, 3, 4 and 5 stars; null where no tool was asked for. */
  counts: z.array(z.number().int()).length(5).nullable(),
});
/** The tool's owner, as anybody may see them. */
export const ownerReply = z.object({
  owner: z.object({
    id,
    first_name: z.string(),
    city: z.string(),
    state: z.string(),
    image: imagePath,
    /** 0 to 5, the mean of the reviews of all of the owner's tools; 0 without any. */
    rating: z.number(),
    reviewCount: z.number().int(),
    /** Paid bookings that were not cancelled. */
    rentals: z.number().int(),
  }),
});
export type OwnerCard = z.infer<typeof ownerReply>['owner'];
/** `rental_id` is documented and ignored: the booking knows its tool. */
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
  /** A booking of the caller's that is to be changed: what it has counts as free. */
  booking_id: id.optional(),
}).refine(isFewDays, fewDays);
const whyTaken = z.enum(['booked', 'held']);
const instantSpan = { from: z.iso.datetime(), to: z.iso.datetime() };
export const availabilityReply = z.object({
  availability: z.object({
    item_status: itemStatus,
    rental_circle: rentalCircle,
    timeZone: z.string(),
    /** Units that the owner has. */
    quantity: z.number().int(),
    /** The owner's terms, by which the days were worked out; without the notes. */
    terms: terms.nullable(),
    days: z.array(
      z.object({
        date: z.iso.date(),
        /** Units that nobody has on any part of the day. */
        free: z.number().int(),
        /** Why no rental can begin or end on it; a longer one may pass over a day that is only closed. */
        why: z.enum(['booked', 'held', 'blocked', 'closed', 'too-soon']).nullable(),
        /** Of an hourly tool: when how many units may be picked up and brought back. */
        intervals: z.array(z.object({ ...instantSpan, free: z.number().int() })).optional(),
      }),
    ),
    /** Which of the units are taken when, around those days as well as the buffer reaches. */
    taken: z.array(z.object({ unit: z.number().int(), ...instantSpan, why: whyTaken })),
  }),
});
export type Availability = z.infer<typeof availabilityReply>['availability'];

export const bookingStatsReply = z.object({
  total: z.number().int(),
  /** Prices of paid bookings; of the cancelled, what their policies left. */
  revenueCents: z.number().int(),
  days: z.array(
    z.object({ day: z.iso.date(), bookings: z.number().int(), revenueCents: z.number().int() }),
  ),
});

/**
 * What payments needs to charge a hold; internal. Replicas of the previous version call the cents `amount`, and read
 * them there.
 */
export const checkoutReply = z.object({
  amountCents: z.number().int().optional(),
  amount: z.number().int(),
  currency: z.literal('usd'),
  expiresAt: z.iso.datetime(),
  userId: id,
  /** The card is only authorized. Replicas of the previous version omit it, and have no such holds. */
  onRequest: z.boolean().optional(),
});
