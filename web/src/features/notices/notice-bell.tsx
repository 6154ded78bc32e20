import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useSelector } from 'react-redux';
import classes from './notice-bell.module.css';
import { selectHasNotice } from './notice-slice.ts';

/** The bell of the top bar, with a red "!" while something new waits. */
export function NoticeBell() {
  const hasNotice = useSelector(selectHasNotice);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="inherit"
      size={44}
      pos="relative"
      aria-label={hasNotice ? 'Notifications, something new' : 'Notifications'}
    >
      <IconBell size={22} stroke={1.7} />
      {hasNotice && <span className={classes.badge}>!</span>}
    </ActionIcon>
  );
}
