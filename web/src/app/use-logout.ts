import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { keepAccessToken } from '../api/access-token.ts';
import { baseApi } from '../api/base-api.ts';
import { isAdmin, sessionEnded, useUser } from '../api/session-slice.ts';
import { cartCleared } from '../features/cart/cart-slice.ts';
import { useLogoutMutation } from './session-api.ts';

const colorSchemeKey = 'mantine-color-scheme-value';

/** Clears local storage; the choice of light or dark belongs to the device, not to the person. */
function clearLocalStorage(): void {
  const scheme = localStorage.getItem(colorSchemeKey);
  localStorage.clear();
  if (scheme) localStorage.setItem(colorSchemeKey, scheme);
}

/** Ends the session here and on the server, and leaves to /home, or to the login page for an admin. */
export function useLogout(): () => Promise<void> {
  const user = useUser();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [logout] = useLogoutMutation();
  return async () => {
    // The call needs the token and the cookie, so it goes out before they are dropped; whether it
    // arrives or not, this browser forgets the person.
    await logout();
    keepAccessToken(null);
    // Synchronous, so that no guard sees a guarded screen without a person and leads elsewhere.
    await navigate(isAdmin(user) ? '/user/login' : '/home', { flushSync: true });
    dispatch(sessionEnded());
    dispatch(cartCleared());
    dispatch(baseApi.util.resetApiState());
    clearLocalStorage();
  };
}
