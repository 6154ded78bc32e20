import * as paths from '@lendtools/contracts/pages';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { endSession } from '../api/base-api.ts';
import { inTurn } from '../api/in-turn.ts';
import { LogoutContext } from '../api/logout-context.ts';
import { isLogoutElsewhere, isLogoutOwed, oweLogout, settleLogout } from '../api/owed-logout.ts';
import { useUser } from '../api/session-slice.ts';
import { cartCleared } from '../features/cart/cart-slice.ts';
import { clearTab } from '../lib/kept.ts';
import { browserStorage } from '../lib/storage.ts';
import { dismissToasts, toastError } from '../ui/toast.ts';
import { exitChosen, exitReached, useExit } from './exit-slice.ts';
import { useLogoutMutation } from './session-api.ts';

const colorSchemeKey = 'mantine-color-scheme-value';

const logoutPendingText =
  'You’re logged out on this device. We’ll finish logging you out once you’re back online.';

/** Clears local storage except the color scheme, which belongs to the device and not to the user. */
function clearLocalStorage(): void {
  const scheme = browserStorage.getItem(colorSchemeKey);
  browserStorage.clear();
  if (scheme) browserStorage.setItem(colorSchemeKey, scheme);
}

function exitFrom(pathname: string): string {
  return pathname.startsWith(paths.adminArea) ? paths.adminLogin : paths.home;
}

function isGuarded(pathname: string): boolean {
  return (
    [paths.userArea, paths.adminArea].some((area) => `${pathname}/`.startsWith(`${area}/`)) &&
    pathname !== paths.adminLogin
  );
}

function useClearUserData(): () => void {
  const dispatch = useDispatch();
  return () => {
    endSession(dispatch);
    clearTab();
    dispatch(cartCleared());
    // Remove the toasts, because they may offer actions of the previous user, such as an undo.
    void dismissToasts();
  };
}

/** Logs out on the server; if it can't be reached, the logout stays pending and is retried later. */
function useServerLogout(): () => Promise<void> {
  const [requestLogout] = useLogoutMutation();
  return async () => {
    const { data } = await requestLogout();
    if (data) settleLogout();
  };
}

function useOwedLogout(clearUserData: () => void): void {
  const logOutOnServer = useServerLogout();
  const settle = useEffectEvent(() => {
    if (!isLogoutOwed()) return;
    // The tab was closed during an earlier logout, so finish that logout now.
    clearUserData();
    void inTurn(async () => {
      if (isLogoutOwed()) await logOutOnServer();
    });
  });
  useEffect(() => {
    const onOnline = () => settle();
    onOnline();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);
}

/** Provides the logout to the pages. If another tab logs out, logs out this tab too. */
export function LogoutProvider({ children }: { children: ReactNode }) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const user = useUser();
  const exit = useExit();
  const clearUserData = useClearUserData();
  const logOutOnServer = useServerLogout();
  useOwedLogout(clearUserData);

  useEffect(() => {
    if (exit && !user && !isGuarded(pathname)) dispatch(exitReached());
  }, [exit, user, pathname, dispatch]);

  const followOtherTab = useEffectEvent((event: StorageEvent) => {
    if (!user || !isLogoutElsewhere(event)) return;
    dispatch(exitChosen(exitFrom(pathname)));
    clearUserData();
  });
  useEffect(() => {
    const onStorage = (event: StorageEvent) => followOtherTab(event);
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);

  const logout = async () => {
    const target = exitFrom(pathname);
    dispatch(exitChosen(target));
    oweLogout();
    await inTurn(async () => {
      // Send the request before dropping the token and the cookie, which the request needs.
      await logOutOnServer();
      const isOwed = isLogoutOwed();
      clearUserData();
      clearLocalStorage();
      if (isOwed) {
        oweLogout();
        toastError(logoutPendingText);
      }
    });
    await navigate(target);
  };
  return <LogoutContext value={logout}>{children}</LogoutContext>;
}
