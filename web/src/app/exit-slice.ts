import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';

interface ExitState {
  to: string | null;
}

const nowhere: ExitState = { to: null };

/**
 * The page to show after a logout. Set before the request: another call's 401 could redirect to the login page first.
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
