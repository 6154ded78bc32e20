import { Group } from '@mantine/core';
import { NavLink, Outlet } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { adminNavigation } from './navigation.ts';
import classes from './shell.module.css';
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
        {/* The slide-in panel lists the person's own screens; on a phone these links lead on. */}
        <Group component="nav" aria-label="Admin screens" hiddenFrom="md" gap={6} mb="lg">
          {adminNavigation.map(({ to, label }) => (
            <NavLink key={to} to={to} className={classes.chip}>
              {label}
            </NavLink>
          ))}
        </Group>
        <Outlet />
      </div>
    </div>
  );
}
