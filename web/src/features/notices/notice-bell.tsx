import { ActionIcon, Button, Popover, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { onLive } from '../../api/live.ts';
import { useUser } from '../../api/session-slice.ts';
import { useReadNoticesOnScreen } from './booking-on-screen.ts';
import classes from './notice-bell.module.css';
import { NoticeList } from './notice-list.tsx';
import { noticesSeen, selectHasNotice } from './notice-slice.ts';
import { useNoticesInfiniteQuery } from './notices-api.ts';

/** Says aloud what has just arrived, without taking the reader from where they are. */
function Announcer() {
  const [words, setWords] = useState('');
  useEffect(() => onLive('notice:created', ({ message }) => setWords(message)), []);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}

/** How many wait; undefined while nobody knows. */
function useUnread(userId: string): number | undefined {
  // What was read in another tab is found out on the return to this one.
  const { data } = useNoticesInfiniteQuery(userId, { skip: !userId, refetchOnFocus: true });
  return userId ? data?.pages[0]?.unread : undefined;
}

function describe(unread: number | undefined, hasNew: boolean): string {
  if (unread) return `Notifications, ${unread} unread`;
  return hasNew ? 'Notifications, something new' : 'Notifications';
}

/**
 * The bell of the top bar, with a red "!" while something new waits, and its panel. `openAtOnce` is for a bell that
 * was pressed before its code was there.
 */
export function NoticeBell({ openAtOnce }: { openAtOnce: boolean }) {
  const userId = useUser()?.id ?? '';
  const arrived = useSelector(selectHasNotice);
  const unread = useUnread(userId);
  const hasNew = unread === undefined ? arrived : unread > 0;
  useReadNoticesOnScreen(userId);
  const [opened, { open: show, toggle, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!openAtOnce) return;
    button.current?.focus();
    show();
  }, [openAtOnce, show]);
  const dispatch = useDispatch();
  const open = () => {
    dispatch(noticesSeen());
    toggle();
  };
  return (
    <Popover
      opened={opened}
      onChange={(stays) => stays || close()}
      position="bottom-end"
      shadow="lg"
      radius="lg"
      width="min(400px, calc(100vw - 24px))"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          c="inherit"
          size={44}
          pos="relative"
          aria-label={describe(unread, hasNew)}
          onClick={open}
        >
          <IconBell size={22} stroke={1.7} />
          {hasNew && <span className={classes.badge}>!</span>}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.panel} aria-label="Notifications">
        {userId ? (
          <NoticeList userId={userId} onFollow={close} />
        ) : (
          <div className={classes.visitor}>
            <Text mb="sm">Log in to see who has booked your tools or written to you.</Text>
            <Button component={Link} to="/user-login" onClick={close} fullWidth>
              Login
            </Button>
          </div>
        )}
      </Popover.Dropdown>
      <Announcer />
    </Popover>
  );
}
