import { IconLock } from '@tabler/icons-react';
import { Outlet, useLocation } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { isPermitted } from '../api/use-permission.ts';
import { EmptyState } from '../ui/page-states.tsx';
import { adminNavigation } from './admin-navigation.ts';
import { AdminSearch } from './admin-search.tsx';
import classes from './area.module.css';
import { AreaLinks } from './area-links.tsx';
import { Sidebar } from './sidebar.tsx';

/** Shows the links that the reader's role allows. On any other admin screen, shows a note instead of failed requests. */
export function AdminLayout() {
  const user = useUser();
  const { pathname } = useLocation();
  const items = adminNavigation.filter(({ permission }) => isPermitted(user, permission));
  const screen = adminNavigation.find(({ to }) => to === pathname);
  return (
    <div className={`page-width ${classes.area}`}>
      <Sidebar
        label="Admin area"
        greeting={`Welcome, ${user?.first_name ?? ''}`}
        position={user?.role}
        items={items}
        logoutLabel="Log Out"
      />
      <div className={classes.content}>
        <AdminSearch />
        <AreaLinks label="Admin screens" items={items} />
        {screen && !isPermitted(user, screen.permission) ? (
          <EmptyState icon={IconLock} order={1} title={`${screen.label}: not for your role`}>
            Your role is {user?.role}. An administrator can change it.
          </EmptyState>
        ) : (
          <Outlet />
        )}
      </div>
    </div>
  );
}
