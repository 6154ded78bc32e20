import { IconSettings } from '@tabler/icons-react';
import { Outlet } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { userNavigation } from './navigation.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

const items = [
  ...userNavigation,
  { to: '/user/my-profile', label: 'Settings', icon: IconSettings },
];

export function UserLayout({ purchase = false }: { purchase?: boolean }) {
  const user = useUser();
  return (
    <div className={purchase ? classes.purchase : `page-width ${classes.area}`}>
      <Sidebar
        label="User area"
        greeting={`Welcome, ${user?.first_name ?? ''}`}
        items={items}
        logoutLabel="Logout"
      />
      <div className={classes.content}>
        <Outlet />
      </div>
    </div>
  );
}
