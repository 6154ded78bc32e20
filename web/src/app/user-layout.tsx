import * as paths from '@lendtools/contracts/pages';
import { IconSettings } from '@tabler/icons-react';
import { Outlet } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import classes from './area.module.css';
import { AreaLinks } from './area-links.tsx';
import { userNavigation } from './navigation.ts';
import { Sidebar } from './sidebar.tsx';

const items = [...userNavigation, { to: paths.profile, label: 'Settings', icon: IconSettings }];

function Layout({ purchase = false }: { purchase?: boolean }) {
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
        <AreaLinks label="User screens" items={items} className={classes.tabletOnly} />
        <Outlet />
      </div>
    </div>
  );
}

export function UserLayout() {
  return <Layout />;
}

export function PurchaseLayout() {
  return <Layout purchase />;
}
