import { createContext, useContext } from 'react';

export const LogoutContext = createContext<() => Promise<void>>(async () => {});

/** Ends the session here and on the server, then opens `/`, or the login page from the admin area. */
export function useLogout(): () => Promise<void> {
  return useContext(LogoutContext);
}
