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
import { cancellationPolicy, commissionTerms, terms } from './terms.ts';

export const bookingCode = z.string().regex(/^LT[1-9]\d{5}$/);

const bookingAction = z.enum([
  'cancel',
  'change',
  'acceptReturn',
  'undoReturn',
  'review',
  'reviewRenter',
  'reportProblem',
  'refund',
  'accept',
  'undoAccept',
  'decline',
  'withdraw',
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

/**
 * What remains of the payments (of a request: the price), the operator's commission on it, and what the owner gets, in
 * dollars. Only for the owner and admins, and null without a commission. Replicas of 1.0 omit it.
 */
const ownersEarnings = z.object({ gross: z.number(), fee: z.number(), net: z.number() }).nullish();

/** What helps an owner to decide about a request. The numbers count the renter's bookings of all owners. */
const renterFacts = z.object({
  /** When the renter created the account. */
  memberSince: z.iso.datetime().nullable(),
  emailVerified: z.boolean(),
  /** Rentals that are over and were not cancelled; `rentalsOfOwner` are those of this owner's tools. */
  rentals: z.number().int(),
  rentalsOfOwner: z.number().int(),
  /** Bookings that the renter cancelled. */
  cancelled: z.number().int(),
  /** The visible reviews that the renter has written, and their mean stars; 0 without reviews. */
  reviews: z.number().int(),
  meanStars: z.number(),
  /** The visible reviews of the renter by owners, and the mean of their stars; 0 without reviews. Replicas of 1.0 omit both. */
  received: z.number().int().optional(),
  receivedStars: z.number().optional(),
});
export type RenterFacts = z.infer<typeof renterFacts>;

/** The reviewed person's public reply. */
const reviewReply = z.object({ text: z.string(), at: z.iso.datetime() }).nullable();

/** An owner's review of a renter. Each part is 1 to 5 stars. */
const renterReview = z.object({
  id,
  care: z.number().int(),
  punctuality: z.number().int(),
  communication: z.number().int(),
  comment: z.string(),
  createdAt: z.iso.datetime(),
  /** Null until it appears; until then only its author and admins get it. */
  publishedAt: z.iso.datetime().nullable(),
  reply: reviewReply,
});
export type RenterReview = z.infer<typeof renterReview>;

const approval = z.object({
  id,
  /**
   * `accepted`: the card is being charged. `lapsed`: the owner did not answer in time. `failed`: accepted, but the card could
   * not be charged. `obsolete`: the booking ended before its change was made.
   */
  status: z.enum(['pending', 'accepted', 'declined', 'withdrawn', 'lapsed', 'failed', 'obsolete']),
  requestedAt: z.iso.datetime(),
  /** Deadline for the owner's answer, after which the approval lapses. */
  answerBy: z.iso.datetime(),
  /**
   * When the owner's acceptance takes effect and the card is charged; until then the owner may undo it, and the status stays
   * `pending`. Only for the owner and admins, and null if no acceptance waits. Replicas of 1.0 omit it.
   */
  chargesAt: z.iso.datetime().nullish(),
  /** About the renter. Only for the owner and admins, while the approval is pending. Replicas of 1.0 omit it. */
  renter: renterFacts.nullish(),
  /** The owner's note on declining. */
  note: z.string(),
  /** The actor that ended the approval; null while the approval is open. */
  by: z.enum(['renter', 'owner', 'admin', 'system']).nullable(),
  /** The requested change; null if the approval is for the booking itself. */
  change: z
    .object({
      id,
      ...rentalTime,
      /** New price of the booking in dollars. */
      payment: z.number(),
      dueCents: z.number().int(),
      refundCents: z.number().int(),
      keptCents: z.number().int(),
      /** What the owner would get if the change were made. */
      earnings: ownersEarnings,
    })
    .nullable(),
});

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
  /** The renter's stars for this booking; 0 without a review and, to the owner, until the review appears. */
  rating: z.number(),
  /** Which parties have written a review. Replicas of 1.0 omit it. */
  reviews: z
    .object({
      byRenter: z.boolean(),
      byOwner: z.boolean(),
      /**
       * Until then each party may write or change a review. Reviews appear then, or once both parties have written. Null until the
       * booking is completed.
       */
      closesAt: z.iso.datetime().nullable(),
    })
    .optional(),
  /** The owner's review of the renter, if the caller may read it. Only in single-booking replies to parties and admins. */
  renterReview: renterReview.nullish(),
  /**
   * Price in dollars: price x period x quantity, less the discount.
   * Equals the amount paid unless the booking was changed.
   */
  payment: z.number(),
  /** Total dollars paid, including changes; refunds are not subtracted. 0 for a request. */
  paid: z.number(),
  /** Dollars of the discount for the rental's length. */
  discount: z.number(),
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
  /**
   * The owner's approval of the booking or of its change: the open one, or the last one if it ended without success. Null if no
   * approval was needed, if it succeeded, or if a later change was made.
   */
  approval: approval.nullable(),
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
  /** The policy at the time of booking. Null if there was none: then the booking is fully refundable until its start. */
  cancellationPolicy: cancellationPolicy.nullable(),
  /** The maximum percentage that a cancellation refunds; null for bookings that were never changed. */
  refundPercentMost: z.number().int().nullable(),
  changedAt: z.iso.datetime().nullable(),
  /**
   * A change that the renter has not paid for yet. Only in single-booking replies to parties and admins; only the
   * renter gets `holdId`.
   */
  unpaidChange: z
    .object({
      holdId: id.optional(),
      expiresAt: z.iso.datetime(),
      dueCents: z.number().int(),
      /** If true, paying only authorizes the card, which is charged once the owner accepts. */
      onRequest: z.boolean(),
      ...rentalTime,
    })
    .nullish(),
  /** The booking before each change, oldest first. Only in single-booking replies to parties and admins. */
  changes: z
    .array(
      z.object({
        at: z.iso.datetime(),
        before: z.object({ ...rentalTime, payment: z.number() }),
        /** Dollars paid for the change. `refunded`: dollars refunded because of the change. */
        paid: z.number(),
        refunded: z.number(),
        /** Dollars of the price difference that the owner kept. */
        kept: z.number(),
        /** True if the owner accepted the change; absent if no answer was needed. */
        accepted: z.boolean().optional(),
      }),
    )
    .optional(),
  /** The payments of the booking, oldest first; each has a receipt. Only in single-booking replies to the renter and admins. */
  paymentIds: z.array(id).optional(),
  /** Whether an open problem blocks completion. */
  hasOpenProblem: z.boolean(),
  /** Oldest first. Only in single-booking replies to parties and admins. */
  problems: z
    .array(
      z.object({
        id,
        kind: problemKind,
        by: problemReporter,
        /** Only the reporter and admins see the text; it is null for others. */
        text: z.string().nullable(),
        openedAt: z.iso.datetime(),
        settledAt: z.iso.datetime().nullable(),
        /** The admin's note to both parties, written when settling the problem. */
        note: z.string(),
      }),
    )
    .optional(),
  /** When the owner confirmed the return. The owner can undo the confirmation for a minute. */
  returnedAt: z.iso.datetime().nullable(),
  /** When the booking was completed; afterwards it can only be returned and reviewed. */
  completedAt: z.iso.datetime().nullable(),
  /**
   * When the booking completes automatically, unless a problem is reported or the booking changes. Null if it is over or has
   * an open problem. Only in single-booking replies to parties and admins.
   */
  completesAt: z.iso.datetime().nullish(),
  /** Actions that the caller may take now; the API rejects all others. */
  allowedActions: z.array(bookingAction),
  /** Null unless the booking is cancelled. */
  cancellation: z
    .object({
      by: z.enum(['renter', 'owner', 'admin']),
      at: z.iso.datetime(),
      /** Why the system cancelled the booking; null if a person cancelled it. */
      cause: cancelCause.nullable(),
      /** Empty if no reason was given. */
      reason: z.string(),
      refund: z.number(),
    })
    .nullable(),
  /** Dollars refunded to the card, including pending refunds, for any reason. */
  refunded: z.number(),
  /** Dollars that the caller's cancellation would refund now. If the booking is cancelled or over: what is left to refund. */
  refundable: z.number(),
  /** The part of `refundable` that a bank holds in a dispute; it is refunded only after the dispute. */
  held: z.number(),
  earnings: ownersEarnings,
  /** Further payment details. Only in replies to admins about one booking; otherwise null. */
  settlement: z
    .object({
      /** Dollars that an admin may still refund. */
      refundable: z.number(),
      /** The booking's share of the dollars refunded in Stripe's dashboard, in proportion to its price. */
      refundedAtStripe: z.number(),
      /** Dollars of the booking's payments that a bank holds or has taken back. */
      disputed: z.number(),
      dispute: disputeState.nullable(),
      /** Refunds that admins made in LendTools, not in Stripe's dashboard, oldest first. */
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
  /** If true, a cart may contain tools on request: each gets its own hold, so that its owner decides about it alone. */
  splitRequests: z.boolean('Please send true or false').optional(),
});

export const hold = z.object({
  id,
  amountCents: z.number().int(),
  currency: z.literal('usd'),
  expiresAt: z.iso.datetime(),
  /** If true, paying only authorizes the card, which is charged once the owner accepts. */
  onRequest: z.boolean(),
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
      /** Dollars of the discount for the rental's length. */
      discount: z.number(),
      cancellationPolicy: cancellationPolicy.nullable(),
      paymentDue: z.number(),
      start_date: z.string(),
      start_time: z.string(),
      end_date: z.string(),
      end_time: z.string(),
    }),
  ),
});
export type Hold = z.infer<typeof hold>;
export const holdReply = z.object({
  hold,
  /** If `splitRequests` was sent, all holds of the cart, each with its own payment: first the one that is charged at once. */
  holds: z.array(hold).optional(),
});
export const holdParams = fields({ userId: id, holdId: id });

/** Only the documented fields for the tool, the dates, the quantity and the requested code are used; others are ignored. */
export const addRentalBookingBody = holdLine;
export const rentalReply = z.object({ rental: booking });

/** The documented fields. Only `returned_status: "Returned"` changes anything. */
export const updateBookingBody = fields({
  returned_status: z.enum(['null', 'Returned'], 'Please say whether the tool is returned'),
});
const note = longText('a note', 500).optional();
export const acceptApprovalBody = fields({
  /** If true, a card that has to be charged is charged ten seconds later, and the owner may undo the acceptance until then. */
  undoable: z.boolean('Please send true or false').optional(),
});
export const declineApprovalBody = fields({ note });
export const cancelBookingBody = fields({
  reason: longText('a reason', 500).optional(),
  /** Refund in cents that the caller was shown; another amount is rejected. If absent, the policy's amount is refunded. */
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
  /** Percentage of the price that is refunded; 100 if the owner or an admin cancels. */
  percent: z.number().int(),
  /** The refund in cents: at most what remains of the payments after earlier refunds. */
  refundCents: cents,
  /** What the owner keeps. */
  keptCents: cents,
  /** When these numbers stop being valid; null if they are valid as long as the booking can be cancelled. */
  until: z.iso.datetime().nullable(),
  /** The refund after `until`; null if it stays the same or the renter can no longer cancel. */
  next: z.object({ percent: z.number().int(), refundCents: cents }).nullable(),
});
export type CancelPreview = z.infer<typeof cancelPreview>;
export const cancelPreviewReply = z.object({ preview: cancelPreview });
/** Extra fields of the error reply REFUND_CHANGED. */
export interface RefundChanged {
  preview: CancelPreview;
}

const requestedChange = { quantity, ...requestedTime };
export const changeQuery = fields(requestedChange);
const changePreview = z.object({
  /** `totalBeforeCents`: the current price. `totalCents`: the price after the change. */
  totalBeforeCents: cents,
  totalCents: cents,
  /** Days or hours after the change. `discountCents`: the discount for that length. */
  period: z.number().int(),
  discountCents: cents,
  dueCents: cents,
  /** `refundCents`: refunded to the card. `keptCents`: the part of the price difference that the owner keeps. */
  refundCents: cents,
  keptCents: cents,
  policy: cancellationPolicy.nullable(),
  /** Percentage of the price difference that the policy refunds now. */
  percent: z.number().int(),
  /** Remaining changes, including this one; absent if the change is rejected. */
  changesLeft: z.object({ today: z.number().int(), inAll: z.number().int() }).optional(),
  /** Deadline for the owner's answer if the change is requested now; null if no answer is needed. */
  answerBy: z.iso.datetime().nullable(),
});
export type ChangePreview = z.infer<typeof changePreview>;
export const changePreviewReply = z.object({ preview: changePreview });
/** Extra fields of the error reply CHANGE_PRICE_CHANGED. */
export interface ChangePriceChanged {
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
 * With a hold, the change applies once the renter has paid for the hold. If the hold has `onRequest`, paying only authorizes
 * the card, and the change applies once the owner has accepted and the card is charged.
 * Without a hold, either the change has been applied, or the rental has an `approval` that the owner has to give first.
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
      onRequest: z.boolean(),
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

/** With both `from` and `to`, only bookings that touch these days, are not returned in time, or may get other days. */
export const bookingsQuery = fields({
  ...page,
  from: nearDate.optional(),
  to: nearDate.optional(),
  /** `open`: requested, or paid and neither returned nor cancelled. `over`: all other bookings. */
  when: z.enum(['open', 'over'], 'Please ask for open or over').optional(),
}).refine(
  ({ from, to }) =>
    from === undefined || to === undefined ? from === to : isFewDays({ from, to }),
  fewDays,
);
/**
 * `q` matches part of the code, of the tool's name or of a party's name; `userId` matches either party. `overdue`: only rentals
 * that are over without a confirmed return.
 */
export const allBookingsQuery = fields({
  ...page,
  overdue: z.literal('true', 'Please ask for overdue=true').optional(),
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
 * What renters paid, minus refunds and lost disputes; money that a bank withholds during a dispute still counts.
 * `earnedCents`: from rentals that have begun, are returned or were cancelled. `toComeCents`: from upcoming rentals.
 * `earnedFeeCents` and `toComeFeeCents`: the operator's commission, not subtracted from them. Replicas of 1.0 omit these.
 */
const earnings = {
  earnedCents: z.number().int(),
  earnedFeeCents: z.number().int().optional(),
  toComeCents: z.number().int(),
  toComeFeeCents: z.number().int().optional(),
};
export const earningsReply = z.object({
  /** One entry for each existing tool that was ever booked. `rentals`: how many rentals its sums include. */
  tools: z.array(z.object({ rental_id: id, ...earnings, rentals: z.number().int() })),
  /** Earnings from all tools, including removed ones. */
  total: z.object(earnings),
  /** The commission on bookings that are held from now on; null if there is none. Replicas of 1.0 omit it. */
  commission: commissionTerms.nullish(),
});

const dueToday = z.object({
  count: z.number().int(),
  /** The one that is due first; null if there is none. `time` is empty if the booking has none. */
  first: z
    .object({
      bookingId: id,
      name: z.string(),
      renter: z.string(),
      time: z.string(),
      /** The day of a return that was due before today. */
      overdueSince: z.string().nullable(),
    })
    .nullable(),
});
/** An owner's day, by the clock of each tool's place. */
export const todayReply = z.object({
  today: z.object({
    /** Rentals that start today. */
    handOvers: dueToday,
    /** Rentals that end today, or have ended without a confirmed return. */
    returns: dueToday,
    /** Requests and changes that wait for the owner's answer. */
    answers: dueToday,
    /** What rentals that began this month have earned, less refunds and the commission. */
    earnedCents: z.number().int(),
  }),
});
export type Today = z.infer<typeof todayReply>['today'];

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
    /** Replicas of 1.0 omit it. */
    id: id.optional(),
    first_name: z.string(),
    /** The initial with a period. */
    last_name: z.string(),
    city: z.string(),
    image: imagePath,
  }),
  createdAt: z.iso.datetime(),
  /** Stars for the owner; null if the renter rated only the tool. Replicas of 1.0 omit it and the fields below. */
  ownerRating: z.number().int().nullish(),
  /** Null until it appears; until then only its author and admins get it. */
  publishedAt: z.iso.datetime().nullish(),
  reply: reviewReply.optional(),
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
const author = z.object({
  id,
  first_name: z.string(),
  /** The initial with a period; of a deleted account the last name of "Deleted user". */
  last_name: z.string(),
  image: imagePath,
});
/** A person as anyone sees them. Means are 0 without reviews. */
const publicPerson = author.extend({
  city: z.string(),
  state: z.string(),
  /** When the person created the account. */
  memberSince: z.iso.datetime(),
  emailVerified: z.boolean(),
  /**
   * How the person answered the requests and questions of the last 30 days, as an owner. Null if there were fewer than three. `percent`:
   * answered within 24 hours. `medianMinutes`: of those that were answered; null if none was.
   */
  answers: z
    .object({
      count: z.number().int(),
      percent: z.number().int(),
      medianMinutes: z.number().int().nullable(),
    })
    .nullable(),
  /** `rating`: mean stars of the tools. `ownerRating`: mean stars of the owner, where the renter gave any. */
  asOwner: z.object({
    rentals: z.number().int(),
    reviewCount: z.number().int(),
    rating: z.number(),
    ownerRating: z.number(),
  }),
  asRenter: z.object({
    rentals: z.number().int(),
    reviewCount: z.number().int(),
    care: z.number(),
    punctuality: z.number(),
    communication: z.number(),
  }),
});
export type PublicPerson = z.infer<typeof publicPerson>;
export const publicPersonReply = z.object({ person: publicPerson });

export const personReviewsQuery = fields({
  ...page,
  /** As whom the person was reviewed. */
  as: z.enum(['owner', 'renter'], 'Please ask for owner or renter'),
});
const personReview = z.object({
  id,
  toolName: z.string(),
  /** The tool's stars in a review of an owner; the mean of the three ratings in a review of a renter. */
  rating: z.number(),
  /** Stars for the owner; null if there are none, and in reviews of a renter. */
  ownerRating: z.number().int().nullable(),
  /** Null in reviews of an owner. */
  parts: z
    .object({
      care: z.number().int(),
      punctuality: z.number().int(),
      communication: z.number().int(),
    })
    .nullable(),
  comment: z.string(),
  reply: reviewReply,
  author,
  createdAt: z.iso.datetime(),
});
export type PersonReview = z.infer<typeof personReview>;
export const personReviewsReply = z.object({ reviews: z.array(personReview), nextCursor });

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
    /** The number of bookings whose tool came back. */
    rentals: z.number().int(),
  }),
});
export type OwnerCard = z.infer<typeof ownerReply>['owner'];
const stars = wholeNumber(1, 5, 'Please choose 1 to 5 stars');
/** `rental_id` is documented but ignored, because the booking already names the tool. */
export const addReviewBody = fields({
  rentalBooking_id: idOf('Please choose a booking'),
  rental_id: ignoredId,
  rating: stars,
  /** Stars for the owner. */
  ownerRating: stars.optional(),
  comment: longText('your review', 2000),
});
export const addReviewReply = z.object({ message: z.string(), review });
export const reviewRenterBody = fields({
  care: stars,
  punctuality: stars,
  communication: stars,
  comment: longText('your review', 2000),
});
export const reviewRenterReply = z.object({ message: z.string(), rental: booking });
export const replyToReviewBody = fields({ text: longText('your reply', 1000) });

export const availabilityQuery = fields({
  from: nearDate,
  to: nearDate,
  /** The caller's booking that is about to change; the units of this booking count as free. */
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
    /** The owner's terms, on which the days below depend. The notes of blocked days are left out. */
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
    /** When each unit is booked or held, on these days and within the buffer around them. */
    taken: z.array(z.object({ unit: z.number().int(), ...instantSpan, why: whyTaken })),
  }),
});
export type Availability = z.infer<typeof availabilityReply>['availability'];

export const bookingStatsReply = z.object({
  total: z.number().int(),
  /** Sum of the prices of paid bookings. A cancelled booking adds only what its policy left to the owner. */
  revenueCents: z.number().int(),
  days: z.array(
    z.object({ day: z.iso.date(), bookings: z.number().int(), revenueCents: z.number().int() }),
  ),
});

/** For calls between services: what the payments service needs to charge a hold. */
export const checkoutReply = z.object({
  amountCents: z.number().int(),
  currency: z.literal('usd'),
  expiresAt: z.iso.datetime(),
  userId: id,
  /** If true, the payments service only authorizes the card instead of charging it. */
  onRequest: z.boolean(),
  /** The unpaid holds of the same cart; absent in replies of 1.0. */
  otherHoldIds: z.array(id).optional(),
});
