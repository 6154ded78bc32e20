import { Divider, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { NavLink } from 'react-router-dom';
import { useLogout } from '../api/logout-context.ts';
import classes from './area.module.css';
import type { NavigationItem } from './navigation.ts';
import panel from './panel-link.module.css';

interface SidebarProps {
  label: string;
  greeting: string;
  position?: string;
  items: NavigationItem[];
  logoutLabel: string;
}

export function Sidebar({ label, greeting, position, items, logoutLabel }: SidebarProps) {
  const logout = useLogout();
  return (
    <div className={classes.sidebar}>
      <Text ff="headings" fw={700} fz="h3" lh={1.3} px={12} style={{ overflowWrap: 'anywhere' }}>
        {greeting}
      </Text>
      {position && (
        <Text c="dimmed" px={12}>
          {position}
        </Text>
      )}
      <Stack gap={2} component="nav" aria-label={label} mt="md">
        {items.map(({ to, label: text, icon: Icon }) => (
          <NavLink key={to} to={to} className={panel.panelLink}>
            <Icon size={20} stroke={1.7} aria-hidden /> {text}
          </NavLink>
        ))}
        <Divider my="xs" />
        <UnstyledButton className={panel.panelLink} onClick={() => void logout()}>
          <IconLogout size={20} stroke={1.7} aria-hidden /> {logoutLabel}
        </UnstyledButton>
      </Stack>
    </div>
  );
}
