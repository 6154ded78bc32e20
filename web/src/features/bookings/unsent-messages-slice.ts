import type { ThreadMessage } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';

export interface UnsentMessage {
  key: string;
  bookingId: string;
  text: string;
  writtenAt: string;
  /** The position of the thread's last message when the user wrote this one. */
  after: number;
  failure: string | null;
}

export interface UnsentMessages {
  unsent: UnsentMessage[];
  /** Messages that the server has stored, shown from here until the thread's own list contains them. */
  delivered: ThreadMessage[];
}

const empty: UnsentMessages = { unsent: [], delivered: [] };

/** Unsent messages are in the store, so that they are still there when the user returns to a thread. */
const unsentMessagesSlice = createSlice({
  name: 'unsentMessages',
  initialState: empty,
  reducers: {
    /** Restores messages after a reload or a new login. */
    messagesFound: ({ unsent }, { payload }: PayloadAction<UnsentMessage[]>) => {
      const keys = new Set(unsent.map(({ key }) => key));
      unsent.push(...payload.filter(({ key }) => !keys.has(key)));
    },
    messageDiscarded: (messages, { payload }: PayloadAction<string>) => {
      messages.unsent = messages.unsent.filter(({ key }) => key !== payload);
    },
    messageWritten: ({ unsent }, { payload }: PayloadAction<UnsentMessage>) => {
      unsent.push(payload);
    },
    messageTried: (
      { unsent },
      { payload: { key, failure } }: PayloadAction<Pick<UnsentMessage, 'key' | 'failure'>>,
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

export function selectUnsentMessages(state: { unsentMessages: UnsentMessages }) {
  return state.unsentMessages;
}
