import type { ThreadMessage } from '@lendtools/contracts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded } from '../../api/session-slice.ts';

/** A message written here, on its way to the server or rejected by it. */
export interface Unsent {
  key: string;
  bookingId: string;
  text: string;
  writtenAt: string;
  /** The place of the thread's last entry when this was written. */
  after: number;
  failure: string | null;
}

export interface UnsentMessages {
  unsent: Unsent[];
  /** What became of them on the server; shown from here until the thread's own list has it. */
  delivered: ThreadMessage[];
}

const empty: UnsentMessages = { unsent: [], delivered: [] };

/** Of all threads: what could not be sent is still there when its writer comes back. */
const unsentMessagesSlice = createSlice({
  name: 'unsentMessages',
  initialState: empty,
  reducers: {
    /** Kept from before a reload, or from before the session was begun anew. */
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
      // Its writer has logged out meanwhile, and left nothing here.
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
