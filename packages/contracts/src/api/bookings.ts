import { z } from 'zod';
import { disputeState } from '../events/payments.ts';
import { itemStatus, rentalCircle } from './catalog.ts';
import {
  bounded,
  date,
  fields,
  id,
  idOf,
  ignoredId,
  imagePath,
  longText,
  nearDate,
  nextCursor,
  numeric,
  page,
  time,
  wholeNumber,
  words,
} from './common.ts';
import { terms } from './terms.ts';

export const bookingCode = z.string().regex(/^LT[1-9]\d{5}$/);
const person = z.object({ id, first_name: z.string(), last_name: z.string() });

const bookingAction = z.enum(['cancel', 'acceptReturn', 'undoReturn', 'review', 'refund']);
export type BookingAction = z.infer<typeof bookingAction>;

export const booking = z.object({
  id,
  booking_code: z.string(),
  name: z.string(),
  description: z.string(),
  /** Unit price in dollars, as it was when booked. */
  price: z.number(),
  /** The renter's stars for this booking; 0 without a review. */
  rating: z.number(),
  /** What was paid, in dollars: price x period x quantity, less the discount. */
  payment: z.number(),
  /** Dollars that the length of the rental took off. */
  discount: z.number().optional(),
  booking_status: z.enum(['Held', 'Booked', 'Returned', 'Cancelled', 'Expired']),
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
  /** When its return was confirmed, which can be undone for a minute. */
  returnedAt: z.iso.datetime().nullable(),
  /** What the caller may do with it now; anything else would be refused. */
  allowedActions: z.array(bookingAction),
  /** Who cancelled it, when, and the dollars refunded to the card. */
  cancellation: z
    .object({
      by: z.enum(['renter', 'owner', 'admin']),
      at: z.iso.datetime(),
      refund: z.number(),
    })
    .nullable(),
  /** Dollars refunded to the card or on their way, for whatever reason. */
  refunded: z.number(),
  /** Dollars that a cancellation refunds. */
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

/** A line of the cart; times may be empty for daily tools. Prices are the server's own. */
export const holdLine = fields({
  rental_id: idOf('Please choose a tool'),
  quantity: numeric(
    z
      .number('Please choose how many')
      .int('Please choose a whole number')
      .min(1, 'Please choose at least one')
      .max(50, 'Please choose at most 50'),
  ).default(1),
  start_date: startDate,
  start_time: time.default(''),
  end_date: endDate,
  end_time: time.default(''),
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
export const cancelBookingBody = fields({ reason: longText('a reason', 500).optional() });
export const cancelBookingReply = z.object({
  message: z.string(),
  rental: booking,
  /** What is refunded to the renter's card. */
  refundCents: z.number().int(),
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
  /** Only those that are paid and neither returned nor cancelled, or only the others. */
  when: z.enum(['open', 'over'], 'Please ask for open or over').optional(),
});
/** `q` is a part of the code, of the tool's name or of a party's; `userId` is either party. */
export const allBookingsQuery = fields({
  ...page,
  q: words.optional(),
  status: z.enum(['Booked', 'Returned', 'Cancelled'], 'Please ask for a status').optional(),
  userId: id.optional(),
});
export const bookingsReply = z.object({ bookings: z.array(booking), nextCursor });
export const allBookingsReply = z.object({
  bookings: z.array(booking),
  total: z.number().int(),
  nextCursor,
});
export const bookingReply = z.object({ booking });

/**
 * What renters paid, less what went back to them and what a bank took back in a dispute; what a bank only holds
 * is counted. `earnedCents`: of rentals that have begun or are back; `toComeCents`: of those that have not.
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
/** The path of the calendar, told this once: only its hash is kept. */
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

const longestCalendarDays = 92;

export const availabilityQuery = fields({ from: nearDate, to: nearDate }).refine(
  ({ from, to }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    return days >= 0 && days < longestCalendarDays;
  },
  { error: `Please ask for 1 to ${longestCalendarDays} days`, path: ['to'] },
);
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
  /** Of paid, not cancelled bookings. */
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
});
