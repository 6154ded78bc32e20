import * as paths from '@lendtools/contracts/pages';
import { Box, Divider, Drawer, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import {
  IconHeartHandshake,
  IconHelpCircle,
  IconLogin,
  IconLogout,
  IconMapPin,
  IconSettings,
  IconShieldLock,
  IconUserPlus,
} from '@tabler/icons-react';
import { NavLink } from 'react-router-dom';
import { useLogout } from '../api/logout-context.ts';
import { isAdmin, useUser } from '../api/session-slice.ts';
import { useBackCloses } from '../lib/use-back-closes.ts';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { type NavigationItem, userNavigation } from './navigation.ts';
import classes from './panel-link.module.css';

const visitorItems: NavigationItem[] = [
  { to: paths.signUp, label: 'Create An Account', icon: IconUserPlus },
  { to: paths.login, label: 'Login', icon: IconLogin },
];
const adminItem = { to: paths.adminDashboard, label: 'Admin Dashboard', icon: IconShieldLock };
const settingsItem = { to: paths.profile, label: 'Settings', icon: IconSettings };
const publicItems: NavigationItem[] = [
  { to: paths.howItWorks, label: 'How it works', icon: IconHelpCircle },
  { to: paths.benefits, label: 'Benefits', icon: IconHeartHandshake },
];

function PanelLinks({ items, onFollow }: { items: NavigationItem[]; onFollow: () => void }) {
  return items.map(({ to, label, icon: Icon }) => (
    <NavLink key={to} to={to} end className={classes.panelLink} onClick={onFollow}>
      <Icon size={22} stroke={1.7} aria-hidden /> {label}
    </NavLink>
  ));
}

interface MenuPanelProps {
  opened: boolean;
  onClose: () => void;
}

/** The menu of a small screen; it opens from the right, within reach of the thumb. */
export default function MenuPanel({ opened, onClose: close }: MenuPanelProps) {
  const user = useUser();
  const logout = useLogout();
  useBackCloses(opened, close);
  const memberItems = [...userNavigation, settingsItem, ...(isAdmin(user) ? [adminItem] : [])];
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size={300}
      title={user ? `Hello, ${user.first_name}` : 'My Account'}
      closeButtonProps={{ 'aria-label': 'Close the menu', size: 'lg' }}
    >
      <Stack gap={4} component="nav" aria-label="Menu">
        <PanelLinks items={user ? memberItems : visitorItems} onFollow={close} />
        <Divider my="xs" />
        <PanelLinks items={publicItems} onFollow={close} />
        {user && <Divider my="xs" />}
        {user && (
          <UnstyledButton
            className={classes.panelLink}
            onClick={() => {
              close();
              void logout();
            }}
          >
            <IconLogout size={22} stroke={1.7} aria-hidden /> Logout
          </UnstyledButton>
        )}
        <Divider my="xs" />
        <Group justify="space-between" pl={12}>
          <Box c="dimmed">
            <Group gap={6}>
              <IconMapPin size={16} aria-hidden />
              <Text size="sm">United States</Text>
            </Group>
          </Box>
          <ColorSchemeToggle />
        </Group>
      </Stack>
    </Drawer>
  );
}
