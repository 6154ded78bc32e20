import { randomUUID } from 'node:crypto';
import type { FactsOfEarnedBooking } from '@lendtools/contracts';
import type { Pool } from '@lendtools/service-kit';
import type { Account } from '../src/domain/ledger.ts';

interface Movement {
  key: string;
  at: string;
  moves: [from: Account, to: Account, cents: number][];
}

/** A share that the ledger knows from its entries only: no task follows its payment. */
export const insertShare = async (
  pool: Pool,
  { ownerId, movements }: { ownerId: string; movements: Movement[] },
): Promise<{ paymentId: string; bookingId: string }> => {
  const bookingId = randomUUID();
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payments (user_id, amount_cents, status, expires_at, next_check_at, succeeded_at)
     VALUES (uuidv7(), 4000, 'succeeded', now(), 'infinity', now()) RETURNING id`,
  );
  const paymentId = rows[0]?.id as string;
  for (const { key, at, moves } of movements)
    await pool.query(
      `INSERT INTO ledger (key, line, from_account, to_account, cents, payment_id, booking_id, owner_id, stripe_id, happened_at, posted_at)
       SELECT $1, line, from_account, to_account, cents, $2, $3, $4, 'stripe_1', $5, $5
       FROM unnest($6::text[], $7::text[], $8::int[]) WITH ORDINALITY moves (from_account, to_account, cents, line)`,
      [
        `${key}:${bookingId}`,
        paymentId,
        bookingId,
        ownerId,
        at,
        moves.map(([from]) => from),
        moves.map(([, to]) => to),
        moves.map(([, , cents]) => cents),
      ],
    );
  return { paymentId, bookingId };
};

export const earnedBooking = (
  id: string,
  overrides: Partial<FactsOfEarnedBooking> = {},
): FactsOfEarnedBooking => ({
  id,
  bookingCode: 'LT123456',
  toolName: 'Hammer drill',
  renterName: 'Rita Renter',
  startDate: '2026-06-01',
  endDate: '2026-06-05',
  terms: { percent: 10, fixedCents: 0 },
  waitsFor: 'release',
  releaseAt: '2026-06-07T12:00:00.000Z',
  ...overrides,
});
