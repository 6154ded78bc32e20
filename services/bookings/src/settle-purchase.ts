import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { AppError, type Transaction } from '@lendtools/service-kit';
import { insertAllocations } from './allocation-repository.ts';
import { bookingCreated, bookingRequested, draftLine, requestEnded } from './booking-events.ts';
import { countHold } from './booking-metrics.ts';
import {
  type BookingRow,
  bookingsOfHold,
  renewCode,
  saveEndOfRequest,
  saveRequest,
  saveStatus,
} from './booking-repository.ts';
import { isDisabled, unsettleOwners } from './disabled-people-repository.ts';
import { answerByOf, transit } from './domain/booking.ts';
import type { Tool } from './domain/price.ts';
import {
  advance,
  type Command,
  fail,
  lapse,
  type PurchaseEvent,
  type RequestEnd,
} from './domain/purchase.ts';
import { remindAnswerAt } from './domain/reminders.ts';
import { clearFailures } from './failed-settlement-repository.ts';
import {
  type AtStripe,
  insertPayment,
  rejectRest,
  saveStateAtStripe,
} from './payment-repository.ts';
import { databaseNow, type HoldRow, lockHold, saveHold } from './purchase-repository.ts';
import { orderRefunds } from './refund-repository.ts';
import {
  applyChange,
  closeChangeRequest,
  freeChange,
  isOpen,
  type LockedChange,
  lockBookingAndChange,
  requestAcceptance,
} from './settle-change.ts';
import {
  findTools,
  findUnits,
  hasLostTool,
  lockTools,
  readCalendar,
  releaseUnits,
  spanOf,
  takeUnits,
} from './tool-repository.ts';

/**
 * Records a payment that succeeded. If it pays a hold, settles it: confirms the bookings or refunds the payment.
 * Idempotent by the payment's id, since both the event and the reconciliation with payments call it.
 * @returns whether the payment was not recorded yet
 */
export const recordPayment = async (
  tx: Transaction,
  payment: EventData<'PaymentSucceeded'>,
  atStripe?: AtStripe,
): Promise<boolean> => {
  if (!(await insertPayment(tx, payment))) return false;
  // Before settling, so that money already refunded or lost at Stripe is not refunded again.
  if (atStripe) await saveStateAtStripe(tx, payment.paymentId, atStripe);
  if (payment.holdId !== null) await settleHold(tx, payment.holdId, payment);
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

/** Gives up a hold whose tool or owner is gone. Catalog keeps held tools, but may not have seen this hold in time. */
const unlessToolIsLost = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  hold.status === 'live' && (await hasLostTool(tx, hold))
    ? advanceHold(tx, hold, { type: 'GivenUp' })
    : hold;

/** Gives up the hold of a change that can no longer be made: its payment is refunded and the owner is not asked. */
const unlessChangeIsOver = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  if (hold.status !== 'live' && hold.status !== 'requested') return hold;
  const change = await lockBookingAndChange(tx, hold);
  return change && !(await isOpen(tx, change)) ? giveUpChange(tx, hold) : hold;
};

/** Fails a request whose charge arrives after its rental: the renter never got the address, so the charge is refunded. */
const unlessRentalIsOver = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  if (hold.status !== 'requested' || hold.changesBookingId !== null) return hold;
  const now = await databaseNow(tx);
  const isOver = (await bookingsOfHold(tx, hold.id)).every(({ endsAt }) => endsAt <= now);
  return isOver ? advanceHold(tx, hold, { type: 'RequestEnded', ...fail }) : hold;
};

/** Ends the hold of a change that has ended or can no longer be made. */
export const giveUpChange = (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  advanceHold(
    tx,
    hold,
    hold.status === 'requested' ? { type: 'RequestEnded', ...lapse } : { type: 'GivenUp' },
  );

/** Gives up the hold of a renter whose account is disabled. */
const unlessDisabled = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  hold.status === 'live' && (await isDisabled(tx, hold.userId))
    ? advanceHold(tx, hold, { type: 'GivenUp' })
    : hold;

/** Records that the card for a hold is authorized. Requests the owner's acceptance if the hold is on request and live. */
export const recordAuthorization = async (
  tx: Transaction,
  hold: HoldRow,
  authorized: Omit<Extract<PurchaseEvent, { type: 'PaymentAuthorized' }>, 'type'>,
): Promise<HoldRow> => {
  const wanted = await unlessChangeIsOver(tx, await unlessToolIsLost(tx, hold));
  const open = await unlessDisabled(tx, wanted);
  return advanceHold(tx, open, { type: 'PaymentAuthorized', ...authorized });
};

/** Advances a locked hold by an event, and applies the resulting commands in the same transaction. */
export const advanceHold = (
  tx: Transaction,
  hold: HoldRow,
  event: PurchaseEvent,
): Promise<HoldRow> =>
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
): Promise<PurchaseEvent | undefined> => {
  const change = await lockBookingAndChange(tx, hold);
  if (change) return carryOutChange(tx, hold, change, command);
  const drafts = await bookingsOfHold(tx, hold.id);
  switch (command.do) {
    case 'free':
      await free(tx, hold, drafts);
      return undefined;
    case 'request':
      await request(tx, drafts);
      return undefined;
    case 'endRequest':
      await endRequest(tx, hold, drafts, command);
      return undefined;
    case 'confirm':
      await confirm(tx, drafts, command.paymentId);
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

/** Applies a command to a change, which has no drafts and whose units are never retaken. */
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
    case 'request':
      await requestAcceptance(tx, locked);
      return;
    case 'endRequest':
      await closeChangeRequest(tx, locked, command);
      await addToOutbox(tx, bookingExpired(hold, []));
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

const request = async (tx: Transaction, drafts: BookingRow[]): Promise<void> => {
  const now = await databaseNow(tx);
  const tools = await findTools(
    tx,
    drafts.map(({ toolId }) => toolId),
  );
  for (const draft of drafts) {
    transit(draft.status, 'request', 'system');
    const { terms = null } = tools.get(draft.toolId) ?? {};
    const answerBy = answerByOf(draft, terms, now);
    const remindAt = remindAnswerAt({ ...draft, answerBy }, now);
    const requested = await saveRequest(tx, draft, { answerBy, remindAt });
    await addToOutbox(tx, bookingRequested(requested));
  }
};

/** Publishes `BookingExpired` too: consumers free the dates, and payments releases the card. */
const endRequest = async (
  tx: Transaction,
  hold: HoldRow,
  requests: BookingRow[],
  { transition, by, note }: RequestEnd,
): Promise<void> => {
  await addToOutbox(tx, bookingExpired(hold, requests));
  for (const one of requests) {
    const outcome = transit(one.status, transition, by);
    const ended = await saveStatus(tx, one, outcome);
    await saveEndOfRequest(tx, one, { by, note });
    await addToOutbox(tx, requestEnded(ended, { outcome, note }));
  }
};

const bookingExpired = (hold: HoldRow, drafts: BookingRow[]) => {
  const data = { holdId: hold.id, userId: hold.userId, lines: drafts.map(draftLine) };
  return newEvent('BookingExpired', hold, data);
};

const confirm = async (tx: Transaction, drafts: BookingRow[], paymentId: string): Promise<void> => {
  const bookings: BookingRow[] = [];
  for (const draft of drafts)
    bookings.push(await saveStatus(tx, draft, transit(draft.status, 'confirm', 'system')));
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
    ...bookings.map((booking) => bookingCreated(booking, unitsOf.get(booking.id) ?? [])),
  );
};

/**
 * Tries to take the units of an ended hold again, all or none. Fails if a unit is taken, a rental is over or a tool is
 * gone. The savepoint keeps a failed insert from aborting the transaction, which must record the payment.
 */
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
    // The terms were checked when the hold was created. Only bookings and blocked dates since then matter.
    const { calendar } = await readCalendar(tx, tools.get(draft.toolId) as Tool, draft);
    const units = calendar.freeUnits(spanOf(draft));
    await takeUnits(tx, draft, { status: 'held', path: '', units });
  }
  return true;
};

/** Refunds the unallocated part of a payment. Idempotent, since nothing is unassigned afterwards. */
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
  if (!rejected || rejected.refundCents === 0) return;
  const { userId, refundCents } = rejected;
  const refunds = [{ paymentId, refundCents }];
  await orderRefunds(tx, { bookingId: null, grantId: null, reason, toolNames, refunds });
  const data = { paymentId, userId, holdId, refundCents, reason, toolNames };
  await addToOutbox(tx, newEvent('BookingRejected', { id: paymentId, version: 1 }, data));
};
