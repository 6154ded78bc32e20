import type {
  CancelPreview,
  ChangePreview,
  ChangePriceChanged,
  RefundChanged,
} from '@lendtools/contracts';
import type { TermsProblem } from '@lendtools/contracts/availability';
import { AppError, notFound, tooManyRequests } from '@lendtools/service-kit';

/** In these errors, `path` names the cart line, such as `lines[1]`. It is empty if there is only one line. */

export const toolNotFound = (path: string) =>
  new AppError('TOOL_NOT_FOUND', 'This tool is not on LendTools any more.', { path });

export const toolIsYours = (name: string, path: string) =>
  new AppError('TOOL_IS_YOURS', `“${name}” is your own tool. You can't rent it.`, { path });

export const toolUnavailable = (name: string, path: string) =>
  new AppError('TOOL_UNAVAILABLE', `“${name}” is not available at the moment.`, { path });

/** For dates that another renter has just taken. If the calendar showed them as taken already, use `datesRejected`. */
export const toolAlreadyBooked = (name: string, path: string) =>
  new AppError(
    'TOOL_ALREADY_BOOKED',
    `Somebody else has just booked “${name}” for these dates. Please choose others.`,
    { path },
  );

export const toolBookedByYou = (name: string, path: string) =>
  new AppError(
    'TOOL_ALREADY_BOOKED',
    `You have already booked or requested “${name}” for these dates. You’ll find it in My Rental History.`,
    { path },
  );

export const toolNotAlone = (name: string, path: string) =>
  new AppError(
    'TOOL_ON_REQUEST',
    `The owner of “${name}” is asked before you pay for it. Please request it by itself, and pay for the rest on its own.`,
    { path },
  );

/** For a client that pays before it books, which is impossible if the owner has to accept first. */
export const toolOnRequest = (name: string) =>
  new AppError(
    'TOOL_ON_REQUEST',
    `The owner of “${name}” is asked before you pay for it. Please request it from its page.`,
    { path: '' },
  );

/** Two lines of one cart must not overlap, including the tool's buffer. */
export const toolTwiceInCart = (name: string, path: string) =>
  new AppError(
    'TOOL_ALREADY_BOOKED',
    `“${name}” is in your cart twice, too close together. Please change the dates of one, or remove it.`,
    { path },
  );

const codesOfTerms = {
  blocked: 'DATES_BLOCKED',
  closed: 'DATES_CLOSED',
  'too-soon': 'DATES_TOO_SOON',
  'too-short': 'PERIOD_TOO_SHORT',
  'too-long': 'PERIOD_TOO_LONG',
} as const;

export const datesRejected = (
  name: string,
  { why, problem, field }: TermsProblem,
  path: string,
) => {
  const words = `“${name}”: ${problem}`;
  // Name no field, because either the dates or the quantity may be the cause.
  if (why === 'booked' || why === 'held')
    return new AppError('TOOL_ALREADY_BOOKED', words, { path });
  return new AppError(codesOfTerms[why], words, { path: path ? `${path}.${field}` : field });
};

export const periodInvalid = (message: string, path: string) =>
  new AppError('PERIOD_INVALID', message, { path });

export const amountTooLarge = (path = 'lines') =>
  new AppError('AMOUNT_INVALID', 'The largest purchase is $999,999.99.', { path });

export const amountTooSmall = (path = 'lines') =>
  new AppError(
    'AMOUNT_INVALID',
    'A purchase must come to at least $0.50. Please rent for longer, or add another tool.',
    { path },
  );

export const tooManyHolds = () =>
  new AppError(
    'TOO_MANY_HOLDS',
    'You already have three carts waiting to be paid. Please pay one or give one up first.',
  );

export const tooManyRefunds = (retryAfterSeconds: number) =>
  tooManyRequests(
    retryAfterSeconds,
    'Many of your payments were refunded today, so you can’t start another one yet.',
  );

/** @param cart the unit-days of this cart, of the renter's other unpaid carts, and the limit */
export const cartTooLarge = (cart: { unitDays: number; live: number; most: number }) => {
  const [requested, live, most] = [cart.unitDays, cart.live, cart.most].map((n) =>
    n.toLocaleString('en'),
  );
  const others = cart.live > 0 ? `, and your other unpaid carts for ${live}` : '';
  return new AppError(
    'CART_TOO_LARGE',
    `Before paying you can hold ${most} tool-days (tools times days) at most. This cart asks for ${requested}${others}. Please take fewer tools or days, and rent the rest in a second purchase.`,
    { path: 'lines' },
  );
};

export const holdNotFound = () => notFound('HOLD_NOT_FOUND', 'This cart does not exist any more.');

export const holdPaid = () =>
  new AppError('HOLD_PAID', 'This cart is already booked. You’ll find it in My Rental History.');

export const holdExpired = () =>
  new AppError('HOLD_EXPIRED', 'Your hold expired. Please go back to your cart and try again.');

export const paymentRequired = () =>
  new AppError('PAYMENT_REQUIRED', 'Please pay for this booking first.');

export const bookingNotFound = () =>
  notFound('BOOKING_NOT_FOUND', 'This booking does not exist, or it is not yours.');

export const bookingNotActive = (message: string) => new AppError('BOOKING_NOT_ACTIVE', message);

export const bookingStarted = () =>
  new AppError(
    'BOOKING_STARTED',
    'This rental has already started. Please ask the owner to cancel it.',
  );

export const bookingReviewed = () =>
  new AppError(
    'BOOKING_REVIEWED',
    'The renter has reviewed this rental, so only an admin can cancel it now.',
  );

/** The client confirms the refund to the cent; a different amount is rejected. */
export const refundChanged = (preview: CancelPreview) =>
  new AppError(
    'REFUND_CHANGED',
    `The refund has changed: it is now $${(preview.refundCents / 100).toFixed(2)}.`,
    { path: 'refundCents', details: { preview } satisfies RefundChanged },
  );

/** The client confirms the price and the refund of a change to the cent; different amounts are rejected. */
export const changePriceChanged = (preview: ChangePreview) =>
  new AppError(
    'CHANGE_PRICE_CHANGED',
    'What this change costs, or refunds, is not what you were shown. Please look again.',
    { path: 'dueCents', details: { preview } satisfies ChangePriceChanged },
  );

export const changeAlreadyRequested = () =>
  new AppError(
    'CHANGE_ALREADY_REQUESTED',
    'The owner is asked about another change already. Please wait for the answer, or withdraw that change first.',
  );

export const bookingHasBegun = () =>
  new AppError(
    'BOOKING_STARTED',
    'This rental has already started: only its return can be earlier or later.',
  );

export const nothingChanged = () =>
  periodInvalid('These are the dates and the quantity that you have.', 'start_date');

export const differenceTooSmall = (cents: number) =>
  new AppError(
    'AMOUNT_INVALID',
    `This change costs $${(cents / 100).toFixed(2)}, and a card can’t be charged less than $0.50. Please choose another time.`,
    { path: 'end_date' },
  );

export const changeTooLarge = (path: 'quantity' | 'end_date') =>
  new AppError(
    'AMOUNT_INVALID',
    'With this change the booking would come to more than $999,999.99, the most that it may. Please choose less.',
    { path },
  );

/** Sent without `Retry-After`, since the limit never resets. */
export const changedTooOften = () =>
  new AppError(
    'TOO_MANY_REQUESTS',
    'This booking has been changed too many times to be changed again. You can still cancel it.',
  );

export const changeInDispute = () =>
  bookingNotActive(
    'A bank is looking into a payment of this booking, so it can’t be changed at the moment.',
  );

export const refundTooLarge = (left: number) =>
  new AppError(
    'REFUND_TOO_LARGE',
    left > 0
      ? `At most $${left.toFixed(2)} of this booking can still be refunded.`
      : 'This booking has nothing left to refund.',
    { path: 'amountCents' },
  );

export const returnNotUndone = (message: string) => new AppError('RETURN_NOT_UNDONE', message);

export const problemReported = () =>
  new AppError(
    'PROBLEM_REPORTED',
    'You have reported a problem with this rental already. Our team is looking at it.',
  );

export const problemSettled = () =>
  new AppError('PROBLEM_SETTLED', 'This problem was settled already.');

export const reviewClosed = (message: string) => new AppError('REVIEW_CLOSED', message);

export const reviewReplied = () =>
  new AppError('REVIEW_REPLIED', 'You have replied to this review already.');

export const personNotFound = () =>
  notFound('PERSON_NOT_FOUND', 'This person is not on LendTools any more.');

export const reviewNotFound = () => notFound('REVIEW_NOT_FOUND', 'There is no such review.');

export const problemNotFound = () => notFound('PROBLEM_NOT_FOUND', 'This problem does not exist.');

export const bookingNotStarted = (message: string) => new AppError('BOOKING_NOT_STARTED', message);

export const paymentNotFound = () => new AppError('PAYMENT_NOT_FOUND', 'There is no such payment.');

export const calendarNotFound = () =>
  new AppError(
    'CALENDAR_NOT_FOUND',
    'This calendar’s address has ended. There may be a new one in its owner’s settings.',
  );
