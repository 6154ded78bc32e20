import * as paths from '@lendtools/contracts/pages';
import { Menu } from '@mantine/core';
import {
  IconLayoutDashboard,
  IconLogin,
  IconLogout,
  IconSettings,
  IconShieldLock,
  IconUserPlus,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useLogout } from '../api/logout-context.ts';
import { isAdmin, useUser } from '../api/session-slice.ts';
import { AccountButton } from './account-button.tsx';

const iconSize = 18;

function VisitorItems() {
  return (
    <>
      <Menu.Item component={Link} to={paths.signUp} leftSection={<IconUserPlus size={iconSize} />}>
        Create An Account
      </Menu.Item>
      <Menu.Item component={Link} to={paths.login} leftSection={<IconLogin size={iconSize} />}>
        Login
      </Menu.Item>
    </>
  );
}

function UserItems({ admin }: { admin: boolean }) {
  const logout = useLogout();
  return (
    <>
      <Menu.Item
        component={Link}
        to={paths.dashboard}
        leftSection={<IconLayoutDashboard size={iconSize} />}
      >
        My Dashboard
      </Menu.Item>
      {admin && (
        <Menu.Item
          component={Link}
          to={paths.adminDashboard}
          leftSection={<IconShieldLock size={iconSize} />}
        >
          Admin Dashboard
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={paths.profile} leftSection={<IconSettings size={iconSize} />}>
        Settings
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={iconSize} />} onClick={() => void logout()}>
        Logout
      </Menu.Item>
    </>
  );
}

/**
 * The account menu. It is mounted when its button is first pressed, and opens at once. It first focuses the button, so
 * that closing the menu returns the focus there.
 */
export default function AccountMenu({ label }: { label: string }) {
  const user = useUser();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    button.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu width={250} position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <AccountButton ref={button} label={label} />
      </Menu.Target>
      <Menu.Dropdown>{user ? <UserItems admin={isAdmin(user)} /> : <VisitorItems />}</Menu.Dropdown>
    </Menu>
  );
}
