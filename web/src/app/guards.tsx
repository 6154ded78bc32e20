import * as paths from '@lendtools/contracts/pages';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { isAdmin, useUser } from '../api/session-slice.ts';
import { loginAddress } from '../lib/return-address.ts';
import { useExit } from './exit-slice.ts';

/**
 * Sends visitors to the login page with a return address or, after a logout, to the address that the logout has set.
 */
export function RequireUser() {
  const user = useUser();
  const exit = useExit();
  const { pathname, search } = useLocation();
  return user ? <Outlet /> : <Navigate to={exit ?? loginAddress(pathname + search)} replace />;
}

/**
 * Sends visitors to the admin login with a return address. A logged-in member who is no admin gets no return address,
 * because it would lead back here.
 */
export function RequireAdmin() {
  const user = useUser();
  const exit = useExit();
  const { pathname, search } = useLocation();
  if (isAdmin(user)) return <Outlet />;
  const login = user ? paths.adminLogin : loginAddress(pathname + search, paths.adminLogin);
  return <Navigate to={exit ?? login} replace />;
}
