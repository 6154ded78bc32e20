import type {
  Booking,
  CancelPreview,
  Hold,
  Notice,
  Reply,
  ThreadMessage,
} from '@lendtools/contracts';
import type { Approval } from '@lendtools/contracts/open-approval';
import type { CartItem } from '../src/features/cart/cart-slice.ts';
import { rita } from './people-and-tools.ts';

export const ids = {
  drill: '0190b000-0000-7000-8000-000000000001',
  saw: '0190b000-0000-7000-8000-000000000002',
  sam: '0190c000-0000-7000-8000-000000000001',
  booking: '0190d000-0000-7000-8000-000000000001',
  hold: '0190e000-0000-7000-8000-000000000001',
  payment: '0190f000-0000-7000-8000-000000000001',
  message: '01910000-0000-7000-8000-000000000001',
};

export const sam = { ...rita, id: ids.sam, first_name: 'Sam', last_name: 'Okafor' };

/** The actions that the booking's state allows; tests add the actions that only one party has. */
function actionsOf({ booking_status, startsAt, rating, settlement }: Booking) {
  const refund = settlement?.refundable ? (['refund'] as const) : [];
  if (booking_status === 'Returned') return ['undoReturn', 'review', ...refund] as const;
  if (booking_status !== 'Booked') return refund;
  if (Date.parse(startsAt) > Date.now()) return ['cancel', ...refund] as const;
  const cancel = rating === 0 ? (['cancel'] as const) : [];
  return [...cancel, 'acceptReturn', 'review', ...refund] as const;
}

/** A booking of Sam's drill by Rita for two days: paid, started and not returned. */
export function buildBooking(overrides: Partial<Booking> = {}): Booking {
  const booking: Booking = {
    id: ids.booking,
    booking_code: 'LT482913',
    name: 'Hammer drill',
    description: 'Drills stone as if it were cheese.',
    price: 12,
    rating: 0,
    payment: 24,
    paid: 24,
    discount: 0,
    approval: null,
    booking_status: 'Booked',
    authorization: 'Authorized',
    period: 2,
    returned_status: 'null',
    rental_circle: 'daily',
    country: 'United States',
    state: 'Oregon',
    city: 'Portland',
    address: '12 Elm Street',
    start_date: '2026-11-02',
    start_time: '9.00 AM',
    end_date: '2026-11-04',
    end_time: '9.00 AM',
    pickup_date: '2026-11-02',
    rental_id: ids.drill,
    image: 'null',
    cover_image: 'null',
    quantity: 1,
    googleMap: 'https://maps.example.com/?q=12+Elm+Street',
    toolOwnerId: ids.sam,
    userId: rita.id,
    user: { id: rita.id, first_name: 'Rita', last_name: 'Lopez' },
    toolOwner: { id: ids.sam, first_name: 'Sam', last_name: 'Okafor' },
    timeZone: 'America/Los_Angeles',
    startsAt: '2026-11-02T17:00:00.000Z',
    endsAt: '2026-11-04T17:00:00.000Z',
    createdAt: '2026-11-01T08:00:00.000Z',
    cancellationPolicy: null,
    refundPercentMost: null,
    changedAt: null,
    hasOpenProblem: false,
    returnedAt: null,
    completedAt: null,
    allowedActions: [],
    cancellation: null,
    refunded: 0,
    refundable: 24,
    held: 0,
    settlement: null,
    ...overrides,
  };
  return { ...booking, allowedActions: overrides.allowedActions ?? [...actionsOf(booking)] };
}

export function buildPreview(overrides: Partial<CancelPreview> = {}): CancelPreview {
  return {
    policy: null,
    percent: 100,
    refundCents: 2_400,
    keptCents: 0,
    until: null,
    next: null,
    ...overrides,
  };
}

/** A request that Sam, the owner, has not answered: for a booking, or for the given change. */
export function buildApproval(overrides: Partial<Approval> = {}): Approval {
  return {
    id: ids.hold,
    status: 'pending',
    requestedAt: '2026-11-01T12:00:00.000Z',
    answerBy: '2099-06-01T20:30:00.000Z',
    note: '',
    by: null,
    change: null,
    ...overrides,
  };
}

/** A booking that was canceled on November 2nd and refunded. */
export function buildCancelled(
  cancellation: Partial<NonNullable<Booking['cancellation']>> = {},
): Booking {
  return buildBooking({
    booking_status: 'Cancelled',
    address: null,
    googleMap: '',
    cancellation: {
      by: 'owner',
      at: '2026-11-02T12:00:00.000Z',
      cause: null,
      reason: '',
      refund: 24,
      ...cancellation,
    },
    refunded: cancellation.refund ?? 24,
    refundable: 0,
  });
}

export function buildCartItem(overrides: Partial<CartItem> = {}): CartItem {
  return {
    id: ids.drill,
    name: 'Hammer drill',
    description: '',
    price: 12,
    cover_image: 'null',
    booking_code: 'LT482913',
    quantity: 1,
    address: '',
    paymentDue: 24,
    rental_circle: 'daily',
    timeZone: 'America/Los_Angeles',
    onRequest: false,
    period: 2,
    start_date: '2027-03-01',
    start_time: '9.00 AM',
    end_date: '2027-03-03',
    end_time: '9.00 AM',
    toolOwnerId: ids.sam,
    toolOwnerAddress: '',
    toolOwnerName: 'Sam',
    totalPrice: 24,
    ...overrides,
  };
}

/** A hold of `buildCartItem`'s line that expires in fifteen minutes. */
export function buildHold(line: Partial<Hold['lines'][number]> = {}): Hold {
  const item = buildCartItem();
  const held = {
    id: ids.booking,
    rental_id: item.id,
    name: item.name,
    booking_code: item.booking_code,
    price: item.price,
    rental_circle: item.rental_circle,
    period: item.period,
    quantity: item.quantity,
    discount: 0,
    cancellationPolicy: null,
    paymentDue: item.paymentDue,
    start_date: item.start_date,
    start_time: item.start_time,
    end_date: item.end_date,
    end_time: item.end_time,
    ...line,
  };
  return {
    id: ids.hold,
    amountCents: Math.round(held.paymentDue * 100),
    currency: 'usd',
    expiresAt: new Date(Date.now() + 15 * 60_000).toISOString(),
    onRequest: false,
    lines: [held],
  };
}

function author(user: typeof rita) {
  return {
    id: user.id,
    first_name: user.first_name,
    last_name: user.last_name,
  };
}

export function buildMessage(overrides: Partial<ThreadMessage> = {}): ThreadMessage {
  return {
    id: ids.message,
    bookingId: ids.booking,
    message: 'Can I pick it up at nine?',
    user: author(rita),
    createdAt: '2026-11-01T09:00:00.000Z',
    place: 0,
    ...overrides,
  };
}

export function buildReply(number: number, overrides: Partial<Reply> = {}): Reply {
  return {
    ...buildMessage(),
    id: `01911000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    messageId: ids.message,
    message: 'Nine is fine.',
    user: author(sam),
    place: number,
    ...overrides,
  };
}

export function buildNotice(overrides: Partial<Notice> = {}): Notice {
  return {
    id: '01913000-0000-7000-8000-000000000001',
    kind: 'tool-booked',
    message: 'Your tool has just been booked',
    bookingId: ids.booking,
    readAt: null,
    createdAt: '2026-11-01T08:00:00.000Z',
    ...overrides,
  };
}
