import * as paths from '@lendtools/contracts/pages';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { isAdmin, useUser } from '../api/session-slice.ts';
import { loginAddress } from '../lib/return-address.ts';
import { useExit } from './exit-slice.ts';

/** Redirects visitors to the login page with a return URL or, after a logout, to the page that the logout chose. */
export function RequireUser() {
  const user = useUser();
  const exit = useExit();
  const { pathname, search } = useLocation();
  return user ? <Outlet /> : <Navigate to={exit ?? loginAddress(pathname + search)} replace />;
}

/** Redirects to the admin login. A member who is not an admin gets no return URL, because it would lead back here. */
export function RequireAdmin() {
  const user = useUser();
  const exit = useExit();
  const { pathname, search } = useLocation();
  if (isAdmin(user)) return <Outlet />;
  const login = user ? paths.adminLogin : loginAddress(pathname + search, paths.adminLogin);
  return <Navigate to={exit ?? login} replace />;
}
