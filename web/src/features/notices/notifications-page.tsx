import * as paths from '@lendtools/contracts/pages';
import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import classes from './notice-bell.module.css';
import { NoticeList } from './notice-list.tsx';
import { noticesSeen } from './notice-slice.ts';

export default function NotificationsPage() {
  const user = useUser();
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(noticesSeen());
  }, [dispatch]);
  return (
    <div className={classes.page}>
      <title>Notifications · LendTools</title>
      {user && <NoticeList userId={user.id} order={1} />}
      <Anchor component={Link} to={paths.preferences} display="block" size="sm" p="md">
        Choose your emails and notifications
      </Anchor>
    </div>
  );
}
