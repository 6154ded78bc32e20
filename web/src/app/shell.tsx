import { Box, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import {
  type Location,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router-dom';
import { useUser } from '../api/session-slice.ts';
import { toolsOfVisitorQuestions } from '../lib/visitor-questions.ts';
import { whenUsed } from '../lib/when-used.ts';
import { Footer } from './footer.tsx';
import { LogoutProvider } from './logout.tsx';
import classes from './shell.module.css';
import { TabBar, useTabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useLiveSession } from './use-live-session.ts';

/** Moves the focus to the new content after a navigation, as a page load does. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current !== pathname) main.current?.focus({ preventScroll: true });
    last.current = pathname;
  }, [pathname]);
  return main;
}

/** Loads `keepFocus` on the first interaction; the focus can't get lost before that. */
function useKeptFocus() {
  useEffect(() => {
    let isOver = false;
    let end: (() => void) | undefined;
    const start = async () => {
      await whenUsed();
      const { keepFocus } = await import('../lib/keep-focus.ts');
      if (!isOver) end = keepFocus();
    };
    // If `keepFocus` fails to load, the focus may get lost, but everything else works.
    start().catch(() => undefined);
    return () => {
      isOver = true;
      end?.();
    };
  }, []);
}

/**
 * Moves visitors' questions to the member's drafts after a login. After a login in the question's own dialog there is nothing to
 * move: the dialog's effect runs first and sends the question.
 */
function useVisitorQuestions() {
  const userId = useUser()?.id;
  const navigate = useNavigate();
  useEffect(() => {
    if (!userId || toolsOfVisitorQuestions().length === 0) return;
    const adopt = async () => {
      const { adoptQuestions } = await import('./adopt-questions.tsx');
      adoptQuestions(userId, (address) => void navigate(address));
    };
    // If it fails to load, the questions stay in the tab until the next page load.
    adopt().catch(() => undefined);
  }, [userId, navigate]);
}

/** The storage key of the scroll position: the history entry's key, or the URL if no link opened the page. */
function scrollKey({ key, pathname, search }: Location) {
  return key === 'default' ? pathname + search : key;
}

export function Shell() {
  useLiveSession();
  useKeptFocus();
  useVisitorQuestions();
  const main = useFocusOnNavigation();
  const hasTabs = useTabBar();
  const loading = useNavigation().state === 'loading';
  return (
    <LogoutProvider>
      <div className={classes.shell} data-tabs={hasTabs || undefined}>
        <title>LendTools: rent and lend tools in your neighborhood</title>
        <a href="#content" className={classes.skip}>
          Skip to content
        </a>
        <div className={classes.progress} data-loading={loading || undefined} aria-hidden />
        <VisuallyHidden role="status">{loading ? 'Loading' : ''}</VisuallyHidden>
        <TopBar hasTabs={hasTabs} />
        <Box component="main" id="content" ref={main} tabIndex={-1} className={classes.main}>
          <Outlet />
        </Box>
        <Footer />
        {hasTabs && <TabBar />}
        <ScrollRestoration getKey={scrollKey} />
      </div>
    </LogoutProvider>
  );
}
