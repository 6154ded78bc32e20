import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useSelector } from 'react-redux';

interface ExitState {
  to: string | null;
}

const nowhere: ExitState = { to: null };

/**
 * Where a person who logs out is going. It is set before the logout is asked for: whatever then learns first that
 * the session is over (a refused call, the dropped socket, the answer itself), the guards lead out, not to the login.
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
