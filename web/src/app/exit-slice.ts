import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';

interface ExitState {
  to: string | null;
}

const nowhere: ExitState = { to: null };

/**
 * Where to go after a logout. It is set before the logout request, so that the guards redirect there and not to the
 * login page, whichever comes first: a 401, the dropped socket, or the reply to the logout.
 */
const exitSlice = createSlice({
  name: 'exit',
  initialState: nowhere,
  reducers: {
    exitChosen: (_, { payload }: PayloadAction<string>): ExitState => ({ to: payload }),
    exitReached: () => nowhere,
  },
});

export const { exitChosen, exitReached } = exitSlice.actions;
export const exitReducer = exitSlice.reducer;

export function useExit(): string | null {
  return useSelector(({ exit }: { exit: ExitState }) => exit.to);
}
