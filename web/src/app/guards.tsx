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

export function RequireAdmin() {
  const exit = useExit();
  return isAdmin(useUser()) ? <Outlet /> : <Navigate to={exit ?? paths.adminLogin} replace />;
}
