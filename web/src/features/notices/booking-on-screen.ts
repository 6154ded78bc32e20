import type { Notice } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useNoticesInfiniteQuery, useReadAllNoticesMutation } from './notices-api.ts';

const forAdmins: Notice['kind'][] = ['payment-changed', 'problem-to-settle'];

/** Most notices link to the owner's page of a booking, which redirects a renter to the renter's page. */
export function noticeAddress({
  kind,
  bookingId,
}: Pick<Notice, 'kind' | 'bookingId'>): string | undefined {
  if (kind === 'dispute') return paths.disputes;
  if (kind === 'payouts' || kind === 'payout-reminder') return paths.getPaid;
  if (kind === 'earnings' || kind === 'debt') return paths.earnings;
  if (kind === 'moderation') return paths.myTools;
  if (!bookingId) return undefined;
  if (kind === 'question') return paths.ofId(paths.conversation, bookingId);
  return paths.ofId(forAdmins.includes(kind) ? paths.adminBooking : paths.myBooking, bookingId);
}

const detailsScreens = [paths.myBooking, paths.rental, paths.adminBooking, paths.conversation];

function useBookingOnScreen(): string | null {
  const { pathname, search } = useLocation();
  const seen = useDocumentVisibility() === 'visible';
  return seen && detailsScreens.includes(pathname) ? new URLSearchParams(search).get('id') : null;
}

/** Marks the notices about a booking as read while its screen is open. */
export function useReadNoticesOnScreen(userId: string): void {
  const bookingId = useBookingOnScreen();
  const [readAll] = useReadAllNoticesMutation();
  const { data } = useNoticesInfiniteQuery(userId, { skip: !userId });
  const unread = data?.pages.flatMap((page) => page.notifications).filter((one) => !one.readAt);
  // Depend on the newest notice: it must trigger the effect even if it arrives while a request is under way.
  const newestId = unread?.find((notice) => notice.bookingId === bookingId)?.id;
  // The loaded pages may lack older unread notices, so send one request per visit for those.
  const more = unread && (data?.pages[0]?.unread ?? 0) > unread.length;
  const visited = useRef<string | null>(null);
  useEffect(() => {
    if (more === undefined) return;
    const arrives = visited.current !== bookingId;
    visited.current = bookingId;
    if (bookingId && (newestId || (arrives && more))) void readAll({ userId, bookingId });
  }, [userId, bookingId, newestId, more, readAll]);
}
