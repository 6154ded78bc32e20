import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepAccessToken } from '../api/access-token.ts';
import { baseApi } from '../api/base-api.ts';
import { isAdmin, sessionEnded, useUser } from '../api/session-slice.ts';
import { cartCleared } from '../features/cart/cart-slice.ts';
import { useLogoutMutation } from './session-api.ts';

const LogoutContext = createContext<() => Promise<void>>(async () => {});

const colorSchemeKey = 'mantine-color-scheme-value';

/** Clears local storage; the choice of light or dark belongs to the device, not to the person. */
function clearLocalStorage(): void {
  const scheme = localStorage.getItem(colorSchemeKey);
  localStorage.clear();
  if (scheme) localStorage.setItem(colorSchemeKey, scheme);
}

function useForgetPerson(): () => void {
  const dispatch = useDispatch();
  return () => {
    keepAccessToken(null);
    dispatch(sessionEnded());
    dispatch(cartCleared());
    dispatch(baseApi.util.resetApiState());
    clearLocalStorage();
  };
}

/**
 * Logs out in two steps: first the way out of the guarded area, then forgetting the person. The other
 * way round, or before React has shown the new screen, a guard would see nobody and lead to the login.
 */
export function LogoutProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [requestLogout] = useLogoutMutation();
  const [exit, setExit] = useState<string | null>(null);
  const forgetPerson = useForgetPerson();

  useEffect(() => {
    if (exit !== pathname) return;
    forgetPerson();
    setExit(null);
  });

  const logout = async () => {
    // The call needs the token and the cookie, so it goes out before they are dropped; whether it
    // arrives or not, this browser forgets the person.
    await requestLogout();
    const target = isAdmin(user) ? '/user/login' : '/home';
    await navigate(target);
    setExit(target);
  };
  return <LogoutContext value={logout}>{children}</LogoutContext>;
}

/** Ends the session here and on the server, and leaves to /home, or to the login page for an admin. */
export function useLogout(): () => Promise<void> {
  return useContext(LogoutContext);
}
