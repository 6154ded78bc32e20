import * as paths from '@lendtools/contracts/pages';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBell,
  IconCalendarEvent,
  IconCirclePlus,
  IconLogin,
  IconMenu2,
  type IconProps,
  IconSearch,
  IconUser,
} from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { Link, useLocation, useMatches } from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { afterFirstPaint } from '../lib/after-first-paint.ts';
import { Part } from '../ui/part.tsx';
import { useMenuPanel } from './mobile-menu.tsx';
import classes from './tab-bar.module.css';

const NoticeNews = lazy(async () => {
  await afterFirstPaint();
  return { default: (await import('../features/notices/notice-news.tsx')).NoticeNews };
});

/** The route handle of a page that has its own bar at the bottom of a phone's screen. */
export interface ScreenHandle {
  hasBottomBar: true;
}

/** Shows the tab bar only on a phone, if the zoom leaves enough height and the page has no bottom bar of its own. */
export function useTabBar(): boolean {
  const isPhone = useMediaQuery('(max-width: 47.99em) and (min-height: 30em)', false, {
    getInitialValueInEffect: false,
  });
  const hasOwn = useMatches().some(({ handle }) => (handle as ScreenHandle)?.hasBottomBar);
  return isPhone && !hasOwn;
}

interface TabProps {
  to: string;
  label: string;
  icon: ComponentType<IconProps>;
  /** The tab is also highlighted on pages whose paths start with one of these. */
  within?: string[];
  /** Appended to the label for screen readers, for example `, 2 unread`. */
  news?: string;
  children?: ReactNode;
}

function Tab({ to, label, icon: Icon, within = [], news, children }: TabProps) {
  const { pathname } = useLocation();
  const isWithin = within.some((start) => pathname.startsWith(start));
  return (
    <Link
      to={to}
      className={classes.tab}
      aria-current={pathname === to ? 'page' : isWithin ? 'true' : undefined}
    >
      <Icon size={24} stroke={1.7} aria-hidden /> {label}
      {news && <VisuallyHidden>{news}</VisuallyHidden>}
      {children}
    </Link>
  );
}

const notices = { to: paths.notices, label: 'Notices', icon: IconBell };

function MemberTabs() {
  return (
    <>
      <Tab to={paths.dashboard} label="Browse" icon={IconSearch} />
      <Tab
        to={paths.myBookings}
        label="Bookings"
        icon={IconCalendarEvent}
        within={[paths.myBookings, paths.rentalHistory]}
      />
      <Tab to={paths.addTool} label="List a tool" icon={IconCirclePlus} />
      <Part waiting={<Tab {...notices} />}>
        <NoticeNews>
          {({ badge, words }) => (
            <Tab {...notices} news={words}>
              {badge && (
                <span className={classes.tabBadge} aria-hidden>
                  {badge}
                </span>
              )}
            </Tab>
          )}
        </NoticeNews>
      </Part>
    </>
  );
}

function VisitorTabs() {
  return (
    <>
      <Tab to={paths.home} label="Browse" icon={IconSearch} within={[paths.browse]} />
      <Tab to={paths.addTool} label="List a tool" icon={IconCirclePlus} />
      <Tab to={paths.login} label="Login" icon={IconLogin} within={[paths.signUp]} />
    </>
  );
}

export function TabBar() {
  const isMember = useUser() !== null;
  const { panel, isOpen, open, near } = useMenuPanel();
  const [label, Icon] = isMember ? ['Me', IconUser] : ['Menu', IconMenu2];
  return (
    <nav className={classes.tabs} aria-label="Main screens">
      {isMember ? <MemberTabs /> : <VisitorTabs />}
      <UnstyledButton
        {...near}
        className={classes.tab}
        onClick={open}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      >
        <Icon size={24} stroke={1.7} aria-hidden /> {label}
      </UnstyledButton>
      {panel}
    </nav>
  );
}
