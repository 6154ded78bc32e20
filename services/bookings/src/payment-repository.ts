import type { EventData, ListedPayment } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import { step } from './domain/purchase.ts';
import { advance, lockHold, rejectPayment, retakeUnits } from './purchase-repository.ts';

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
  const { paymentId, userId, holdId, amountCents } = payment;
  const recorded = await tx.query(
    `INSERT INTO payments (id, user_id, hold_id, amount_cents, unassigned_cents, succeeded_at)
     VALUES ($1, $2, $3, $4, $4, $5) ON CONFLICT DO NOTHING`,
    [paymentId, userId, holdId, amountCents, payment.succeededAt],
  );
  if (recorded.rowCount === 0) return false;
  // Before it is settled: what went elsewhere is not sent back.
  if (atStripe) await withhold(tx, paymentId, atStripe);
  if (holdId !== null) await settleHold(tx, holdId, payment);
  return true;
};

type AtStripe = NonNullable<ListedPayment['atStripe']>;

/**
 * Keeps what of a payment was refunded in the dashboard, or is in dispute. The newest version counts, in whatever order they
 * come.
 * @returns whether that is news
 */
export const withhold = async (
  tx: Transaction,
  paymentId: string,
  { version, outsideCents, disputedCents, dispute, ...sums }: AtStripe,
): Promise<boolean> => {
  // Payments of before says only whether a bank holds any. A replica of before notes a version without what is held, so
  // the same version may bring news.
  const heldCents = sums.heldCents ?? (dispute === 'open' ? disputedCents : 0);
  const { rows } = await tx.query<{ isNews: boolean }>(
    `UPDATE payments SET stripe_version = $2, outside_cents = $3, disputed_cents = $4, held_cents = $5, dispute = $6
     WHERE id = $1 AND stripe_version <= $2
     RETURNING (old.outside_cents, old.disputed_cents, old.held_cents, old.dispute)
       IS DISTINCT FROM (new.outside_cents, new.disputed_cents, new.held_cents, new.dispute) AS "isNews"`,
    [paymentId, version, outsideCents, disputedCents, heldCents, dispute],
  );
  return rows[0]?.isNews === true;
};

const settleHold = async (
  tx: Transaction,
  holdId: string,
  { paymentId, userId, amountCents }: EventData<'PaymentSucceeded'>,
): Promise<void> => {
  const found = await lockHold(tx, holdId);
  if (!found) return rejectPayment(tx, paymentId, { holdId, reason: 'slot-lost', toolNames: [] });
  // Catalog deletes no held tool that it knows to be held. Where it did not know yet, the hold counts as given up.
  const isGone = found.status === 'live' && (await hasLostTool(tx, holdId));
  const { hold } = isGone ? await advance(tx, found, { type: 'GivenUp' }) : { hold: found };
  const succeeded = { type: 'PaymentSucceeded', paymentId, userId, amountCents } as const;
  const [wanted] = step(hold, { ...succeeded, slotIsFree: true }).commands;
  const slotIsFree = wanted?.do === 'retake' && (await retakeUnits(tx, hold.id));
  await advance(tx, hold, { ...succeeded, slotIsFree });
};

/** A tool that was removed, or whose owner can't hand it over any more. */
const hasLostTool = async (tx: Transaction, holdId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM bookings b JOIN tools t ON t.id = b.tool_id
     WHERE b.hold_id = $1 AND (t.removed_at IS NOT NULL OR t.owner_disabled) LIMIT 1`,
    [holdId],
  );
  return rowCount !== 0;
};
