import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';

/** The part of the user that is stored between visits; never a token. */
export interface SessionUser {
  id: string;
  role: string;
  first_name: string;
  last_name: string;
  email: string;
  image: string;
}

export interface SessionState {
  loggedIn: boolean;
  user: SessionUser | null;
}

interface WithSession {
  session: SessionState;
}

const loggedOut: SessionState = { loggedIn: false, user: null };

const sessionSlice = createSlice({
  name: 'session',
  initialState: loggedOut,
  reducers: {
    sessionStarted: (_, { payload }: PayloadAction<SessionUser>): SessionState => {
      // Don't store the whole reply: it contains the address and the phone number.
      const { id, role, first_name, last_name, email, image } = payload;
      return { loggedIn: true, user: { id, role, first_name, last_name, email, image } };
    },
    sessionEnded: () => loggedOut,
  },
});

export const { sessionStarted, sessionEnded } = sessionSlice.actions;
export const sessionReducer = sessionSlice.reducer;

export function isAdmin(user: SessionUser | null): boolean {
  return user !== null && user.role !== 'User';
}

export function useUser(): SessionUser | null {
  return useSelector(({ session }: WithSession) => session.user);
}
