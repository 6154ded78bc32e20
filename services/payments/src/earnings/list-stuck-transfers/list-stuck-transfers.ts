import {
  maxPageSize,
  routes,
  type StuckTransfer,
  type StuckTransferReason,
} from '@lendtools/contracts';
import { cursorInvalid, handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import type { ShareId } from '../../domain/share.ts';
import { pageOfStuckTransfers, type StuckShare } from '../../store/stuck-transfer-repository.ts';
import { dashboardUrlOf } from '../../stripe/stripe-api.ts';
import { readEarnedBookings } from '../read-earned-bookings.ts';

export const listStuckTransfers = (deps: Deps) =>
  handle(routes.stuckTransfers, async ({ query: { limit = maxPageSize, cursor } }) => {
    const after = readShare(cursor);
    const rows = await pageOfStuckTransfers(deps.pool, { after, limit: limit + 1 });
    const page = splitPage(rows.map(withId), limit);
    const { bookingOf, ownerNameOf } = await readEarnedBookings(deps, {
      bookings: page.items.map(({ bookingId }) => bookingId),
      owners: page.items.map(({ ownerId }) => ownerId),
    });
    const transfers = page.items.map((row): StuckTransfer => {
      const { bookingCode, toolName } = bookingOf(row.bookingId);
      const ownerName = ownerNameOf(row.ownerId);
      return { ...shareView(deps, row), bookingCode, toolName, ownerName };
    });
    return { transfers, nextCursor: page.nextCursor };
  });

const withId = (row: StuckShare) => ({ ...row, id: `${row.bookingId}_${row.paymentId}` });

/** The cursor is the last share of the previous page. @throws AppError CURSOR_INVALID */
const readShare = (cursor: string | undefined): ShareId | null => {
  if (!cursor) return null;
  const [bookingId, paymentId, ...rest] = cursor.split('_').map(readCursor);
  if (!bookingId || !paymentId || rest.length > 0) throw cursorInvalid();
  return { bookingId, paymentId };
};

const shareView = (
  { config }: Deps,
  row: StuckShare,
): Omit<StuckTransfer, 'bookingCode' | 'toolName' | 'ownerName'> => {
  const { paymentId, bookingId, ownerId, cents, transfer, releasedAt, intentId } = row;
  const reason = reasonOf(row);
  const isTried =
    transfer !== null && (reason === 'unknown' || reason === 'rejected' || reason === 'balance');
  return {
    paymentId,
    bookingId,
    ownerId,
    cents,
    reason,
    error: transfer?.error ?? null,
    since: releasedAt.toISOString(),
    nextTryAt: isTried ? new Date(transfer.nextTryAt).toISOString() : null,
    stripeUrl: dashboardUrlOf(config, intentId),
  };
};

/** The reason that has to end first: nothing is tried again before. */
const reasonOf = (row: StuckShare): StuckTransferReason => {
  const { transfer } = row;
  if (transfer?.status === 'unknown') return 'unknown';
  if (row.isDisputed) return 'dispute';
  if (row.isReturned) return 'returned';
  if (row.isHeld) return 'hold';
  if (row.accountState !== 'ready') return 'account';
  if (row.isForgotten) return 'forgotten';
  return transfer?.errorCode === 'balance_insufficient' ? 'balance' : 'rejected';
};
