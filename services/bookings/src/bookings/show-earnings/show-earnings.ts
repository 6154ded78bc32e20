import { routes } from '@lendtools/contracts';
import { type CommissionTerms, feeOfShares } from '@lendtools/contracts/commission';
import { handle } from '@lendtools/service-kit';
import { commissionOf } from '../../config.ts';
import type { Deps } from '../../deps.ts';

interface EqualBookings {
  toolId: string;
  isListed: boolean;
  hasBegun: boolean;
  commission: CommissionTerms | null;
  /** What is left of each payment, oldest first. */
  shares: number[];
  count: number;
}

const none = { earnedCents: 0, earnedFeeCents: 0, toComeCents: 0, toComeFeeCents: 0 };
type Sums = typeof none;

/** What is left of each payment of the booking `b`, oldest first. */
export const sharesLeft = `
  SELECT coalesce(array_agg(a.returnable_cents ORDER BY p.succeeded_at, p.id) FILTER (WHERE a.amount_cents > 0), '{}')
    AS shares
  FROM allocations a JOIN payments p ON p.id = a.payment_id WHERE a.booking_id = b.id`;

/** Groups an owner's bookings that earn the same, so that the rows to sum here are few. */
const equalBookings = `
  SELECT b.tool_id AS "toolId", t.removed_at IS NULL AS "isListed", b.begun AS "hasBegun", b.commission, m.shares, count(*)
  FROM (SELECT id, tool_id, commission, starts_at <= now() OR status = 'cancelled' AS begun FROM bookings
        WHERE owner_id = $1 AND booked_at IS NOT NULL) b
  JOIN tools t ON t.id = b.tool_id
  CROSS JOIN LATERAL (${sharesLeft}) m
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1`;

const plus = (sums: Sums, { hasBegun, commission, shares, count }: EqualBookings): Sums => {
  const cents = count * shares.reduce((one, other) => one + other, 0);
  const feeCents = count * feeOfShares(shares, commission);
  return hasBegun
    ? {
        ...sums,
        earnedCents: sums.earnedCents + cents,
        earnedFeeCents: sums.earnedFeeCents + feeCents,
      }
    : {
        ...sums,
        toComeCents: sums.toComeCents + cents,
        toComeFeeCents: sums.toComeFeeCents + feeCents,
      };
};

/** `GET …/earnings`: payments per tool, less refunds and lost disputes. Includes what owners kept of cancellations. */
export const showEarnings = ({ pool, config }: Deps) =>
  handle(routes.earnings, async ({ user }) => {
    const { rows } = await pool.query<EqualBookings>(equalBookings, [user.userId]);
    const tools = Map.groupBy(
      rows.filter(({ isListed }) => isListed),
      ({ toolId }) => toolId,
    );
    return {
      tools: [...tools].map(([rental_id, bookings]) => ({
        rental_id,
        ...bookings.reduce(plus, none),
        rentals: bookings
          .filter(({ shares }) => shares.some((cents) => cents > 0))
          .reduce((sum, { count }) => sum + count, 0),
      })),
      total: rows.reduce(plus, none),
      commission: commissionOf(config),
    };
  });
