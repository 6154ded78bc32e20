import * as paths from '@lendtools/contracts/pages';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { isAdmin, useUser } from '../api/session-slice.ts';
import { loginAddress } from '../lib/return-address.ts';
import { useExit } from './exit-slice.ts';

/** Visitors go to the login page and come back to where they wanted to be; people who log out go where that leads. */
export function RequireUser() {
  const user = useUser();
  const exit = useExit();
  const { pathname, search } = useLocation();
  return user ? <Outlet /> : <Navigate to={exit ?? loginAddress(pathname + search)} replace />;
}

/**
 * Visitors come back after the admins' login. A member who is no admin would only bounce between the login and this
 * guard, so their address has no way back.
 */
export function RequireAdmin() {
  const user = useUser();
  const exit = useExit();
  const { pathname, search } = useLocation();
  if (isAdmin(user)) return <Outlet />;
  const login = user ? paths.adminLogin : loginAddress(pathname + search, paths.adminLogin);
  return <Navigate to={exit ?? login} replace />;
}
