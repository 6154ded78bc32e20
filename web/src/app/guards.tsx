import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { isAdmin, useUser } from '../api/session-slice.ts';
import { loginAddress } from '../lib/return-address.ts';

/** Visitors go to the login page and come back to where they wanted to be. */
export function RequireUser() {
  const user = useUser();
  const { pathname, search } = useLocation();
  return user ? <Outlet /> : <Navigate to={loginAddress(pathname + search)} replace />;
}

export function RequireAdmin() {
  return isAdmin(useUser()) ? <Outlet /> : <Navigate to="/user/login" replace />;
}
