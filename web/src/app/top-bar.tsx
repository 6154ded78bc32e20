import * as paths from '@lendtools/contracts/pages';
import { UnstyledButton } from '@mantine/core';
import { IconBell, IconMapPin, IconShoppingCart } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { selectCart } from '../features/cart/cart-slice.ts';
import { afterFirstPaint } from '../lib/after-first-paint.ts';
import { whenNear } from '../lib/when-near.ts';
import { Part } from '../ui/part.tsx';
import { AccountButton } from './account-button.tsx';
import { Brand } from './brand.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import classes from './top-bar.module.css';

function loadMenu() {
  return import('./account-menu.tsx');
}

const AccountMenu = lazy(loadMenu);

async function loadBell() {
  return {
    default: (await import('../features/notices/notice-bell.tsx')).NoticeBell,
  };
}

const NoticeBell = lazy(() => afterFirstPaint().then(loadBell));

function CartLink() {
  const user = useUser();
  const { totalQuantity } = useSelector(selectCart);
  return (
    <Link
      to={user ? paths.memberCart : paths.cart}
      className="icon-button"
      aria-label={totalQuantity ? `Cart, ${totalQuantity} in it` : 'Cart, empty'}
    >
      <IconShoppingCart size={22} stroke={1.7} />
      {totalQuantity > 0 && <span className={classes.count}>{totalQuantity}</span>}
    </Link>
  );
}

function Account() {
  const label = useUser()?.first_name ?? 'My Account';
  const [wanted, setWanted] = useState(false);
  const button = (
    <AccountButton
      {...whenNear(loadMenu)}
      label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return button;
  return (
    <Part waiting={button}>
      <AccountMenu label={label} />
    </Part>
  );
}

/** A member's notification bell loads at once, to receive pushes; a visitor's loads when it is pressed. */
function Bell() {
  const isMember = useUser() !== null;
  const [wanted, setWanted] = useState(false);
  const button = (
    <UnstyledButton
      {...whenNear(loadBell)}
      className="icon-button"
      aria-label="Notifications"
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    >
      <IconBell size={22} stroke={1.7} />
    </UnstyledButton>
  );
  if (!isMember && !wanted) return button;
  return (
    <Part waiting={button}>
      <NoticeBell openAtOnce={wanted} />
    </Part>
  );
}

/** With `hasTabs`, a phone's tab bar replaces the bell and the menu. */
export function TopBar({ hasTabs }: { hasTabs: boolean }) {
  const isMember = useUser() !== null;
  return (
    <header className={classes.bar}>
      <div className={`page-width ${classes.barInner}`}>
        <Brand />
        <nav className={classes.links} aria-label="Main">
          <NavLink to={paths.howItWorks} className={classes.link}>
            How it works
          </NavLink>
          <NavLink to={paths.benefits} className={classes.link}>
            Benefits
          </NavLink>
        </nav>
        <span className={classes.spring} />
        <span className={classes.region}>
          <IconMapPin size={16} aria-hidden /> United States
        </span>
        <span className={classes.notOnPhone}>
          <ColorSchemeToggle />
        </span>
        <CartLink />
        {!(hasTabs && isMember) && <Bell />}
        <span className={classes.withSidebar}>
          <Account />
        </span>
        {!hasTabs && (
          <span className={classes.withoutSidebar}>
            <MobileMenu />
          </span>
        )}
      </div>
    </header>
  );
}
