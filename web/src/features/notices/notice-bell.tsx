import * as paths from '@lendtools/contracts/pages';
import { Button, Popover, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import classes from './notice-bell.module.css';
import { NoticeList } from './notice-list.tsx';
import { NewsAnnouncer, useNews } from './notice-news.tsx';
import { noticesSeen } from './notice-slice.ts';

/** `openAtOnce`: the bell was pressed before its code had loaded. */
export function NoticeBell({ openAtOnce }: { openAtOnce: boolean }) {
  const userId = useUser()?.id ?? '';
  const { badge, words } = useNews();
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
        <UnstyledButton
          ref={button}
          className="icon-button"
          aria-label={`Notifications${words}`}
          onClick={open}
        >
          <IconBell size={22} stroke={1.7} />
          {badge && <span className={classes.badge}>{badge}</span>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.panel} aria-label="Notifications">
        {userId ? (
          <NoticeList userId={userId} order={2} onFollow={close} />
        ) : (
          <div className={classes.visitor}>
            <Text mb="sm">Log in to see who has booked your tools or written to you.</Text>
            <Button component={Link} to={paths.login} onClick={close} fullWidth>
              Login
            </Button>
          </div>
        )}
      </Popover.Dropdown>
      <NewsAnnouncer />
    </Popover>
  );
}
