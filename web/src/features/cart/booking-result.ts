import type { Booking, Hold } from '@lendtools/contracts';

/** A line of the cart that did not become a booking or a request. */
export interface LineLeft {
  line: Hold['lines'][number];
  /** What happened, as a sentence. */
  why: string;
  /** Whether it is still in the cart and can be paid there. */
  canPay?: boolean;
  /** When its dates are free for others again; absent if they are already. */
  keptUntil?: string;
}

/** What the checkout passes to the success page, in the history entry's state. */
export interface BookingResult {
  bookings: Booking[];
  /** Absent in entries of 1.0.0. */
  left?: LineLeft[];
}
