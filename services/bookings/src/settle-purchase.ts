import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { AppError, type Transaction } from '@lendtools/service-kit';
import { insertAllocations } from './allocation-repository.ts';
import { bookingCreated, heldLine } from './booking-events.ts';
import { type BookingRow, bookingsOfHold, renewCode, saveStatus } from './booking-repository.ts';
import { transit } from './domain/booking.ts';
import { advance, type Command, type PurchaseEvent } from './domain/purchase.ts';
import { type AtStripe, insertPayment, rejectRest, withhold } from './payment-repository.ts';
import { databaseNow, type HoldRow, lockHold, saveHold } from './purchase-repository.ts';
import { orderRefunds } from './refund-repository.ts';
import {
  hasLostTool,
  lockUnits,
  readCalendar,
  releaseUnits,
  spanOf,
  takeUnits,
} from './tool-repository.ts';

/**
 * Records a payment that succeeded and, where it pays a hold, settles it: bookings, or the money back. By the
 * payment's id, so that it happens once, whether the event or a question to payments told of it first.
 * @returns whether it was not known before
 */
export const recordPayment = async (
  tx: Transaction,
  payment: EventData<'PaymentSucceeded'>,
  atStripe?: AtStripe,
): Promise<boolean> => {
  if (!(await insertPayment(tx, payment))) return false;
  // Before it is settled: what went elsewhere is not sent back.
  if (atStripe) await withhold(tx, payment.paymentId, atStripe);
  if (payment.holdId !== null) await settleHold(tx, payment.holdId, payment);
  return true;
};

const settleHold = async (
  tx: Transaction,
  holdId: string,
  { paymentId, userId, amountCents }: EventData<'PaymentSucceeded'>,
): Promise<void> => {
  let hold = await lockHold(tx, holdId);
  if (!hold) return rejectPayment(tx, paymentId, { holdId, reason: 'slot-lost', toolNames: [] });
  // Catalog deletes no held tool that it knows to be held. Where it did not know yet, the hold counts as given up.
  if (hold.status === 'live' && (await hasLostTool(tx, holdId)))
    hold = await advanceHold(tx, hold, { type: 'GivenUp' });
  await advanceHold(tx, hold, { type: 'PaymentSucceeded', paymentId, userId, amountCents });
};

/** Advances a locked hold by an event and, in the same transaction, carries out everything that follows. */
export const advanceHold = (
  tx: Transaction,
  hold: HoldRow,
  event: PurchaseEvent,
): Promise<HoldRow> =>
  advance(hold, event, {
    save: (next) => saveHold(tx, next),
    carryOut: (next, command) => carryOut(tx, next, command),
  });

const carryOut = async (
  tx: Transaction,
  hold: HoldRow,
  command: Command,
): Promise<PurchaseEvent | undefined> => {
  const drafts = await bookingsOfHold(tx, hold.id);
  switch (command.do) {
    case 'free':
      await free(tx, hold, drafts);
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

const free = async (tx: Transaction, hold: HoldRow, drafts: BookingRow[]): Promise<void> => {
  for (const draft of drafts)
    await saveStatus(tx, draft, transit(draft.status, 'expire', 'system'));
  const data = { holdId: hold.id, userId: hold.userId, lines: drafts.map(heldLine) };
  await addToOutbox(tx, newEvent('BookingExpired', hold, data));
};

const confirm = async (tx: Transaction, drafts: BookingRow[], paymentId: string): Promise<void> => {
  const bookings: BookingRow[] = [];
  for (const draft of drafts)
    bookings.push(await saveStatus(tx, draft, transit(draft.status, 'confirm', 'system')));
  await insertAllocations(
    tx,
    bookings.map(({ id, totalCents }) => ({ paymentId, bookingId: id, amountCents: totalCents })),
  );
  await addToOutbox(tx, ...bookings.map(bookingCreated));
};

/**
 * Tries to take the units of an ended hold again; nothing changes when one is taken, over or not lent any more.
 * A savepoint, because a refused insert would else end the transaction that must record the payment.
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
  await lockUnits(tx, [...new Set(drafts.map((draft) => draft.toolId))]);
  const now = await databaseNow(tx);
  if (drafts.some(({ endsAt }) => endsAt <= now) || (await hasLostTool(tx, hold.id))) return false;
  for (const draft of drafts) {
    await releaseUnits(tx, draft.id);
    const renewed = await renewCode(tx, draft);
    await saveStatus(tx, renewed, transit(renewed.status, 'retake', 'system'));
    // What its terms ask was so when it was held; that somebody has it, or that it is blocked by now, counts.
    const { calendar } = await readCalendar(tx, draft);
    const units = calendar.freeUnits(spanOf(draft));
    await takeUnits(tx, draft, { status: 'held', path: '', units });
  }
  return true;
};

/** Refunds the unallocated part of a payment, once: afterwards nothing of it is unassigned. */
export const rejectPayment = async (
  tx: Transaction,
  paymentId: string,
  {
    holdId,
    reason,
    toolNames,
  }: { holdId: string | null; reason: 'slot-lost' | 'unassigned'; toolNames: string[] },
): Promise<void> => {
  const rejected = await rejectRest(tx, paymentId);
  if (!rejected || rejected.refundCents === 0) return;
  const { userId, refundCents } = rejected;
  const refunds = [{ paymentId, refundCents }];
  await orderRefunds(tx, { bookingId: null, grantId: null, reason, toolNames, refunds });
  const data = { paymentId, userId, holdId, refundCents, reason, toolNames };
  await addToOutbox(tx, newEvent('BookingRejected', { id: paymentId, version: 1 }, data));
};
