import type { EventData } from '@lendtools/contracts';
import { earningsOf } from '@lendtools/contracts/commission';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { AppError, databaseNow, type Transaction } from '@lendtools/service-kit';
import { type ApprovalEnd, fail, lapse } from '../domain/approval.ts';
import { transit } from '../domain/booking.ts';
import { advance, type Command, type HoldEvent } from '../domain/hold.ts';
import type { Tool } from '../domain/price.ts';
import { insertAllocations } from '../store/allocation-repository.ts';
import { completeApproval, lockApprovalOfHold } from '../store/approval-repository.ts';
import { isHoldBlocked } from '../store/block-repository.ts';
import { bookingCreated, draftLine } from '../store/booking-events.ts';
import { countHold } from '../store/booking-metrics.ts';
import {
  type BookingRow,
  bookingsOfHold,
  lockBooking,
  renewCode,
  saveStatus,
} from '../store/booking-repository.ts';
import { isDisabled, unsettleOwners } from '../store/disabled-people-repository.ts';
import { clearFailures } from '../store/failed-settlement-repository.ts';
import { type HoldRow, lockHold, saveHold } from '../store/hold-repository.ts';
import {
  type AtStripe,
  insertPayment,
  rejectRest,
  saveStateAtStripe,
} from '../store/payment-repository.ts';
import { orderRefunds } from '../store/refund-repository.ts';
import { schedule } from '../store/schedule.ts';
import {
  findUnits,
  hasLostTool,
  lockTools,
  readCalendar,
  releaseUnits,
  spanOf,
  takeUnits,
} from '../store/tool-repository.ts';
import { type ApprovalSubject, closeApproval, requestApproval } from './settle-approval.ts';
import {
  applyChange,
  freeChange,
  isChangeable,
  type LockedChange,
  lockBookingAndChange,
} from './settle-change.ts';

/** Records a successful payment and settles its hold. Idempotent by payment id. @returns whether the payment was new */
export const recordPayment = async (
  tx: Transaction,
  payment: EventData<'PaymentSucceeded'>,
  atStripe?: AtStripe,
): Promise<boolean> => {
  if (!(await insertPayment(tx, payment))) return false;
  // Save the state at Stripe before settling: money refunded or lost there must not be refunded again.
  if (atStripe) await saveStateAtStripe(tx, payment.paymentId, atStripe);
  if (payment.holdId !== null) await settleHold(tx, payment.holdId, payment);
  // Leave the payment to `add-rental-booking`, and refund later what has paid for no booking.
  else await schedule(tx, 'refund-unassigned-payment', payment.paymentId);
  await clearFailures(tx, payment.paymentId);
  return true;
};

const settleHold = async (
  tx: Transaction,
  holdId: string,
  { paymentId, userId, amountCents }: EventData<'PaymentSucceeded'>,
): Promise<void> => {
  const found = await lockHold(tx, holdId);
  if (!found) return rejectPayment(tx, paymentId, { holdId, reason: 'slot-lost', toolNames: [] });
  const open = await unlessChangeIsOver(tx, await unlessToolIsLost(tx, found));
  const hold = await unlessRentalIsOver(tx, open);
  await advanceHold(tx, hold, { type: 'PaymentSucceeded', paymentId, userId, amountCents });
};

/**
 * Ends a hold whose tool was deleted or owner was disabled: the catalog service may delete a tool before it consumes
 * the hold's event.
 */
const unlessToolIsLost = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  hold.status === 'live' && (await hasLostTool(tx, hold))
    ? advanceHold(tx, hold, { type: 'GivenUp' })
    : hold;

/** Ends the hold of a change that can no longer be made. Its payment is refunded, and no approval is requested. */
const unlessChangeIsOver = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  if (hold.status !== 'live' && hold.status !== 'requested') return hold;
  const change = await lockBookingAndChange(tx, hold);
  return change && !(await isChangeable(tx, change)) ? giveUpChange(tx, hold) : hold;
};

/** Fails a request that is not charged by the end of its rental: the renter never got the pick-up address. */
const unlessRentalIsOver = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  if (hold.status !== 'requested' || hold.changesBookingId !== null) return hold;
  const now = await databaseNow(tx);
  const isOver = (await bookingsOfHold(tx, hold.id)).every(({ endsAt }) => endsAt <= now);
  return isOver ? advanceHold(tx, hold, { type: 'ApprovalEnded', ...fail }) : hold;
};

/** Ends the hold of a change that has ended or can no longer be made. */
export const giveUpChange = (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  advanceHold(
    tx,
    hold,
    hold.status === 'requested' ? { type: 'ApprovalEnded', ...lapse } : { type: 'GivenUp' },
  );

/** Ends the hold of a renter whose account is disabled. */
const unlessDisabled = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  hold.status === 'live' && (await isDisabled(tx, hold.userId))
    ? advanceHold(tx, hold, { type: 'GivenUp' })
    : hold;

/** Ends a hold whose renter and owner were blocked from each other after its payment had begun. */
const unlessBlocked = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  hold.status === 'live' && (await isHoldBlocked(tx, hold))
    ? advanceHold(tx, hold, { type: 'GivenUp' })
    : hold;

/** Records that a hold's card is authorized. Requests the owner's approval if the hold is open and needs approval. */
export const recordAuthorization = async (
  tx: Transaction,
  hold: HoldRow,
  authorized: Omit<Extract<HoldEvent, { type: 'PaymentAuthorized' }>, 'type'>,
): Promise<HoldRow> => {
  const wanted = await unlessChangeIsOver(tx, await unlessToolIsLost(tx, hold));
  const open = await unlessBlocked(
    tx,
    await unlessDisabled(tx, await unlessRentalIsOver(tx, wanted)),
  );
  return advanceHold(tx, open, { type: 'PaymentAuthorized', ...authorized });
};

/** Advances a locked hold by an event, and applies the resulting commands in the same transaction. */
export const advanceHold = (tx: Transaction, hold: HoldRow, event: HoldEvent): Promise<HoldRow> =>
  advance(hold, event, {
    save(next) {
      if (next.status !== hold.status) countHold(tx, next.status);
      return saveHold(tx, next);
    },
    carryOut: (next, command) => carryOut(tx, next, command),
  });

const carryOut = async (
  tx: Transaction,
  hold: HoldRow,
  command: Command,
): Promise<HoldEvent | undefined> => {
  const change = await lockBookingAndChange(tx, hold);
  if (change) return carryOutChange(tx, hold, change, command);
  const drafts = await bookingsOfHold(tx, hold.id);
  switch (command.do) {
    case 'free':
      await free(tx, hold, drafts);
      return undefined;
    case 'requestApproval':
      for (const booking of drafts) await requestApproval(tx, { booking });
      return undefined;
    case 'endApproval':
      for (const booking of drafts) await endApproval(tx, hold, { booking }, command);
      return undefined;
    case 'confirm':
      await confirm(tx, hold, { drafts, paymentId: command.paymentId });
      return undefined;
    case 'refund': {
      const toolNames = drafts.map(({ name }) => name);
      await rejectPayment(tx, command.paymentId, { ...command, holdId: hold.id, toolNames });
      return undefined;
    }
    case 'retake': {
      const isRetaken = await retakeUnits(tx, hold, drafts);
      return { type: isRetaken ? 'UnitsRetaken' : 'UnitsLost', paymentId: command.paymentId };
    }
  }
};

/** Applies a command to the hold of a change. Does not `retake` units: a payment after the hold's end is refunded. */
const carryOutChange = async (
  tx: Transaction,
  hold: HoldRow,
  locked: LockedChange,
  command: Command,
): Promise<undefined> => {
  const { booking, change } = locked;
  switch (command.do) {
    case 'free':
      await freeChange(tx, locked);
      await addToOutbox(tx, bookingExpired(hold, []));
      return;
    case 'requestApproval':
      await requestApproval(tx, locked);
      return;
    case 'endApproval':
      await endApproval(tx, hold, locked, command);
      return;
    case 'confirm':
      await applyChange(tx, booking, change, command.paymentId);
      return;
    case 'refund': {
      const toolNames = [booking.name];
      await rejectPayment(tx, command.paymentId, { ...command, holdId: hold.id, toolNames });
      return;
    }
    default:
      throw new Error(`The hold of a change got the command ${command.do}`);
  }
};

const free = async (tx: Transaction, hold: HoldRow, drafts: BookingRow[]): Promise<void> => {
  for (const draft of drafts)
    await saveStatus(tx, draft, transit(draft.status, 'expire', 'system'));
  await addToOutbox(tx, bookingExpired(hold, drafts));
};

/** Ends a hold's approval. Consumers of `BookingExpired` free the dates and release the card. */
const endApproval = async (
  tx: Transaction,
  hold: HoldRow,
  subject: ApprovalSubject,
  how: ApprovalEnd,
): Promise<void> => {
  await lockBooking(tx, subject.booking.id);
  const approval = await lockApprovalOfHold(tx, hold.id);
  if (approval) await closeApproval(tx, { ...subject, approval }, how);
  await addToOutbox(tx, bookingExpired(hold, subject.change ? [] : [subject.booking]));
};

const bookingExpired = (hold: HoldRow, drafts: BookingRow[]) => {
  const data = { holdId: hold.id, userId: hold.userId, lines: drafts.map(draftLine) };
  return newEvent('BookingExpired', hold, data);
};

const confirm = async (
  tx: Transaction,
  hold: HoldRow,
  { drafts, paymentId }: { drafts: BookingRow[]; paymentId: string },
): Promise<void> => {
  const bookings: BookingRow[] = [];
  for (const draft of drafts)
    bookings.push(await saveStatus(tx, draft, transit(draft.status, 'confirm', 'system')));
  if (hold.onRequest) await completeApproval(tx, { holdId: hold.id });
  await insertAllocations(
    tx,
    bookings.map(({ id, totalCents }) => ({ paymentId, bookingId: id, amountCents: totalCents })),
  );
  await unsettleOwners(
    tx,
    bookings.map(({ ownerId }) => ownerId),
  );
  const unitsOf = await findUnits(
    tx,
    bookings.map(({ id }) => id),
  );
  await addToOutbox(
    tx,
    ...bookings.map((booking, index) =>
      bookingCreated(booking, {
        units: unitsOf.get(booking.id) ?? [],
        // The first booking's email has the receipt of the whole cart.
        paymentIds: index === 0 ? [paymentId] : [],
        earnings: earningsOf([booking.totalCents], booking.commission),
      }),
    ),
  );
};

/** Reserves an ended hold's units again, all or none. The savepoint keeps the transaction usable after a failed insert. */
const retakeUnits = async (
  tx: Transaction,
  hold: HoldRow,
  drafts: BookingRow[],
): Promise<boolean> => {
  await tx.query('SAVEPOINT retake');
  const isRetaken = await reopen(tx, hold, drafts).catch((error: unknown) => {
    if (error instanceof AppError) return false;
    throw error;
  });
  await tx.query(isRetaken ? 'RELEASE SAVEPOINT retake' : 'ROLLBACK TO SAVEPOINT retake');
  return isRetaken;
};

const reopen = async (tx: Transaction, hold: HoldRow, drafts: BookingRow[]): Promise<boolean> => {
  const tools = await lockTools(
    tx,
    drafts.map((draft) => draft.toolId),
  );
  const now = await databaseNow(tx);
  if (drafts.some(({ endsAt }) => endsAt <= now) || (await hasLostTool(tx, hold))) return false;
  for (const draft of drafts) {
    await releaseUnits(tx, draft.id);
    const renewed = await renewCode(tx, draft);
    await saveStatus(tx, renewed, transit(renewed.status, 'retake', 'system'));
    // The terms were checked when the hold was created. Only later bookings and blocked dates matter now.
    const { calendar } = await readCalendar(tx, tools.get(draft.toolId) as Tool, draft);
    const units = calendar.freeUnits(spanOf(draft));
    await takeUnits(tx, draft, { status: 'held', path: '', units });
  }
  return true;
};

/** Refunds the part of a payment that pays for no booking. Idempotent: afterwards, nothing is left to refund. */
export const rejectPayment = async (
  tx: Transaction,
  paymentId: string,
  {
    holdId,
    reason,
    toolNames,
  }: {
    holdId: string | null;
    reason: EventData<'BookingRejected'>['reason'];
    toolNames: string[];
  },
): Promise<void> => {
  const rejected = await rejectRest(tx, paymentId);
  if (!rejected) return;
  const { userId, refundCents } = rejected;
  const refunds = [{ paymentId, refundCents }];
  await orderRefunds(tx, { bookingId: null, grantId: null, reason, toolNames, refunds });
  const data = { paymentId, userId, holdId, refundCents, reason, toolNames };
  await addToOutbox(tx, newEvent('BookingRejected', { id: paymentId, version: 1 }, data));
};
