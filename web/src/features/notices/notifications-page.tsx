import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
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
    </div>
  );
}
