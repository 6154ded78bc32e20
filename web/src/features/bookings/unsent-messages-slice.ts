import type { ThreadMessage } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';

/** A message that was written here and is being sent, or whose sending failed. */
export interface Unsent {
  key: string;
  bookingId: string;
  text: string;
  writtenAt: string;
  /** The position of the thread's last entry when the user wrote this message. */
  after: number;
  failure: string | null;
}

export interface UnsentMessages {
  unsent: Unsent[];
  /** The stored messages, shown from here until the thread's own list contains them. */
  delivered: ThreadMessage[];
}

const empty: UnsentMessages = { unsent: [], delivered: [] };

/** The unsent messages of all threads, so that they are still there when the user returns to one. */
const unsentMessagesSlice = createSlice({
  name: 'unsentMessages',
  initialState: empty,
  reducers: {
    /** Restores messages after a reload or a new login. */
    messagesFound: ({ unsent }, { payload }: PayloadAction<Unsent[]>) => {
      const known = new Set(unsent.map(({ key }) => key));
      unsent.push(...payload.filter(({ key }) => !known.has(key)));
    },
    messageDiscarded: (messages, { payload }: PayloadAction<string>) => {
      messages.unsent = messages.unsent.filter(({ key }) => key !== payload);
    },
    messageWritten: ({ unsent }, { payload }: PayloadAction<Unsent>) => {
      unsent.push(payload);
    },
    messageTried: (
      { unsent },
      { payload: { key, failure } }: PayloadAction<Pick<Unsent, 'key' | 'failure'>>,
    ) => {
      const entry = unsent.find((one) => one.key === key);
      if (entry) entry.failure = failure;
    },
    messageDelivered: (
      { unsent, delivered },
      { payload: { key, message } }: PayloadAction<{ key: string; message: ThreadMessage }>,
    ) => {
      const index = unsent.findIndex((one) => one.key === key);
      // The user logged out meanwhile, which cleared the list.
      if (index < 0) return;
      unsent.splice(index, 1);
      delivered.push(message);
    },
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => empty);
  },
});

export const { messagesFound, messageDiscarded, messageWritten, messageTried, messageDelivered } =
  unsentMessagesSlice.actions;
export const unsentMessagesReducer = unsentMessagesSlice.reducer;
export const selectUnsentMessages = (state: { unsentMessages: UnsentMessages }) =>
  state.unsentMessages;
