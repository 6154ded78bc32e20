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
  const sharesIn = (...accounts: Account[]) =>
    shares.filter(({ bookingId }) =>
      accounts.some((account) => balanceOf(entries, account, bookingId) > 0),
    );
  if (sharesIn('pending', 'available', 'sending').length === 0) return null;
  const releases = sharesIn('pending')
    .map(({ releaseAt }) => releaseAt?.getTime() ?? 0)
    .filter((at) => at > readAt.getTime());
  const ageMs = readAt.getTime() - succeededAt.getTime();
  return new Date(Math.min(...releases, readAt.getTime() + Math.max(dayMs, ageMs)));
};
