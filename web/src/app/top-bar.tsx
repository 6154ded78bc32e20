import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell, IconMapPin, IconShoppingCart } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { selectCart } from '../features/cart/cart-slice.ts';
import { afterFirstPaint } from '../lib/after-first-paint.ts';
import { AccountButton } from './account-button.tsx';
import { Brand } from './brand.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import classes from './shell.module.css';

// A menu and a panel that open on a click can wait until the screen is there.
const AccountMenu = lazy(() => afterFirstPaint().then(() => import('./account-menu.tsx')));
const NoticeBell = lazy(async () => {
  await afterFirstPaint();
  return { default: (await import('../features/notices/notice-bell.tsx')).NoticeBell };
});

function CartLink() {
  const user = useUser();
  const { totalQuantity } = useSelector(selectCart);
  return (
    <Indicator label={totalQuantity} size={18} offset={6} disabled={totalQuantity === 0}>
      <ActionIcon
        component={Link}
        to={user ? '/user/cart' : '/cart'}
        variant="subtle"
        color="gray"
        c="inherit"
        size={44}
        aria-label={totalQuantity ? `Cart, ${totalQuantity} in it` : 'Cart, empty'}
      >
        <IconShoppingCart size={22} stroke={1.7} />
      </ActionIcon>
    </Indicator>
  );
}

function BellPlaceholder() {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="inherit"
      size={44}
      aria-label="Notifications"
      aria-disabled
    >
      <IconBell size={22} stroke={1.7} />
    </ActionIcon>
  );
}

export function TopBar() {
  const user = useUser();
  return (
    <header className={classes.bar}>
      <div className={classes.barInner}>
        <Brand />
        <nav className={classes.links} aria-label="Main">
          <NavLink to="/how-it-works" className={classes.link}>
            How it works
          </NavLink>
          <NavLink to="/benefits" className={classes.link}>
            Benefits
          </NavLink>
        </nav>
        <span className={classes.spring} />
        <span className={classes.region}>
          <IconMapPin size={16} aria-hidden /> United States
        </span>
        <span className={classes.wide}>
          <ColorSchemeToggle />
        </span>
        <CartLink />
        <Suspense fallback={<BellPlaceholder />}>
          <NoticeBell />
        </Suspense>
        <span className={classes.wide}>
          <Suspense
            fallback={<AccountButton label={user?.first_name ?? 'My Account'} aria-disabled />}
          >
            <AccountMenu />
          </Suspense>
        </span>
        <span className={classes.narrow}>
          <MobileMenu />
        </span>
      </div>
    </header>
  );
}
