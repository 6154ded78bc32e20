import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { onLive } from '../../api/live.ts';
import { useUser } from '../../api/session-slice.ts';
import { useReadNoticesOnScreen } from './booking-on-screen.ts';
import { selectHasNotice } from './notice-slice.ts';
import { useNoticesInfiniteQuery } from './notices-api.ts';

function useUnread(userId: string): number | undefined {
  // Refetch on focus, because notices may have been read in another tab.
  const { data } = useNoticesInfiniteQuery(userId, { skip: !userId, refetchOnFocus: true });
  return userId ? data?.pages[0]?.unread : undefined;
}

interface News {
  /** What the badge shows: the number of unread notices, or `!` until it is known; null without news. */
  badge: string | null;
  /** Appended to the label of the notification bell or the notifications tab, for example `, 2 unread`. */
  words: string;
}

/** Call once per page, in the notification bell or tab. Also marks notices about the booking on the screen as read. */
export function useNews(): News {
  const userId = useUser()?.id ?? '';
  useReadNoticesOnScreen(userId);
  const arrived = useSelector(selectHasNotice);
  const unread = useUnread(userId);
  if (unread === undefined)
    return arrived ? { badge: '!', words: ', something new' } : { badge: null, words: '' };
  return unread > 0
    ? { badge: unread > 99 ? '99+' : String(unread), words: `, ${unread} unread` }
    : { badge: null, words: '' };
}

/** Announces new notices to screen readers, without moving the focus. */
export function NewsAnnouncer() {
  const [words, setWords] = useState('');
  useEffect(() => onLive('notice:created', ({ message }) => setWords(message)), []);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}

/** Passes the number of unread notices to components of other features, and announces new notices. */
export function NoticeNews({ children }: { children: (news: News) => ReactNode }) {
  return (
    <>
      {children(useNews())}
      <NewsAnnouncer />
    </>
  );
}
