import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { onLive } from '../../api/live.ts';
import { useUser } from '../../api/session-slice.ts';
import { useReadNoticesOnScreen } from './booking-on-screen.ts';
import { selectHasNotice } from './notice-slice.ts';
import { useNoticesInfiniteQuery } from './notices-api.ts';

/** How many wait; undefined while nobody knows. */
function useUnread(userId: string): number | undefined {
  // What was read in another tab is found out on the return to this one.
  const { data } = useNoticesInfiniteQuery(userId, { skip: !userId, refetchOnFocus: true });
  return userId ? data?.pages[0]?.unread : undefined;
}

interface News {
  hasNew: boolean;
  /** Behind the name of what leads to the notices: `, 2 unread`. */
  words: string;
}

/** For the one thing on the screen that leads to the notices, bell or tab: whether something new waits. */
export function useNews(): News {
  const userId = useUser()?.id ?? '';
  useReadNoticesOnScreen(userId);
  const arrived = useSelector(selectHasNotice);
  const unread = useUnread(userId);
  const hasNew = unread === undefined ? arrived : unread > 0;
  return { hasNew, words: unread ? `, ${unread} unread` : hasNew ? ', something new' : '' };
}

/** Announces what has just arrived, without moving the reader from where they are. */
export function NewsAnnouncer() {
  const [words, setWords] = useState('');
  useEffect(() => onLive('notice:created', ({ message }) => setWords(message)), []);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}

/** The news for what is not of this feature. */
export function NoticeNews({ children }: { children: (news: News) => ReactNode }) {
  return (
    <>
      {children(useNews())}
      <NewsAnnouncer />
    </>
  );
}
