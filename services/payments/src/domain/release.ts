import { type Account, balanceOf, type Entry } from './ledger.ts';
import type { Share } from './share.ts';

/** What decides when a payment's shares are read again. */
interface ReadingOfShares {
  shares: readonly Share[];
  /** The payment's entries. */
  entries: readonly Entry[];
  readAt: Date;
  succeededAt: Date;
}

const dayMs = 86_400_000;

/**
 * When the shares are read again: at the earliest release, and each time the payment's age has doubled, in case an event or a
 * task gets lost. Null once nothing waits for a release or a transfer.
 */
export const nextReleaseAt = ({
  shares,
  entries,
  readAt,
  succeededAt,
}: ReadingOfShares): Date | null => {
  const waits = (account: Account, share: Share) =>
    balanceOf(entries, account, share.bookingId) > 0;
  const pending = shares.filter((share) => waits('pending', share));
  if (pending.length === 0 && !shares.some((share) => waits('available', share))) return null;
  const releases = pending
    .map(({ releaseAt }) => releaseAt?.getTime() ?? 0)
    .filter((at) => at > readAt.getTime());
  const ageMs = readAt.getTime() - succeededAt.getTime();
  return new Date(Math.min(...releases, readAt.getTime() + Math.max(dayMs, ageMs)));
};
