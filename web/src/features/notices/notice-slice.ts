import { createSlice } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';

interface NoticeState {
  success: boolean;
}

const quiet: NoticeState = { success: false };

const noticeSlice = createSlice({
  name: 'notification',
  initialState: quiet,
  reducers: {
    noticeArrived: (): NoticeState => ({ success: true }),
    noticesSeen: () => quiet,
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => quiet);
  },
});

export const { noticeArrived, noticesSeen } = noticeSlice.actions;
export const noticeReducer = noticeSlice.reducer;

export function selectHasNotice(state: { notification: NoticeState }) {
  return state.notification.success;
}
