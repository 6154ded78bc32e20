import { Outlet } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { adminNavigation } from './admin-navigation.ts';
import { AdminSearch } from './admin-search.tsx';
import classes from './area.module.css';
import { AreaLinks } from './area-links.tsx';
import { Sidebar } from './sidebar.tsx';

export function AdminLayout() {
  const user = useUser();
  return (
    <div className={`page-width ${classes.area}`}>
      <Sidebar
        label="Admin area"
        greeting={`Welcome, ${user?.first_name ?? ''}`}
        position="Admin"
        items={adminNavigation}
        logoutLabel="Log Out"
      />
      <div className={classes.content}>
        <AdminSearch />
        <AreaLinks label="Admin screens" items={adminNavigation} />
        <Outlet />
      </div>
    </div>
  );
}
