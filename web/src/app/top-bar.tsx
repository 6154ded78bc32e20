import { ActionIcon, Indicator } from '@mantine/core';
import { IconMapPin, IconShoppingCart } from '@tabler/icons-react';
import { useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { selectCart } from '../features/cart/cart-slice.ts';
import { NoticeBell } from '../features/notices/notice-bell.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import classes from './shell.module.css';

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

export function TopBar() {
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
        <NoticeBell />
        <span className={classes.wide}>
          <AccountMenu />
        </span>
        <span className={classes.narrow}>
          <MobileMenu />
        </span>
      </div>
    </header>
  );
}
