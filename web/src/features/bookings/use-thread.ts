import type { Answer, Reply, ThreadMessage } from '@lendtools/contracts';
import { maskContacts } from '@lendtools/contracts/mask-contacts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { errorCode, errorMessage } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { keep, readAllKept } from '../../lib/kept.ts';
import { randomId } from '../../lib/random-id.ts';
import {
  useFirstMessageQuery,
  useRepliesQuery,
  useSendMessageMutation,
  useSendReplyMutation,
} from './thread-api.ts';
import {
  messageDelivered,
  messageDiscarded,
  messagesFound,
  messageTried,
  messageWritten,
  selectUnsentMessages,
  type UnsentMessage,
  type UnsentMessages,
} from './unsent-messages-slice.ts';

export interface ThreadEntry {
  key: string;
  text: string;
  mine: boolean;
  author: string;
  at: string;
  state: 'sent' | 'sending' | 'failed';
  failure: string | null;
  /** Set if the owner of the tool offers dates or declines. */
  answer?: Answer | undefined;
}

type SendResult = { data?: ThreadMessage; error?: unknown };

/** Drops pending messages that the thread already contains: a push may arrive before the response to the POST. */
function withoutPushed(
  messages: UnsentMessages,
  sent: ThreadMessage[],
  userId: string,
): UnsentMessage[] {
  const taken = new Set(messages.delivered.map(({ id }) => id));
  return messages.unsent.filter(({ text, after }) => {
    // The server masks contact details in unpaid threads.
    const texts = [text, maskContacts(text)];
    const pushed = sent.find(
      ({ id, place, message, user }) =>
        place > after && texts.includes(message) && user.id === userId && !taken.has(id),
    );
    if (pushed) taken.add(pushed.id);
    return !pushed;
  });
}

/** Sorts by position: pushes can overtake each other, and ids come from servers with different clocks. */
function merge(sent: ThreadMessage[], delivered: ThreadMessage[]): ThreadMessage[] {
  const byId = new Map([...delivered, ...sent].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.place - b.place);
}

function toEntries(
  sent: ThreadMessage[],
  unsent: UnsentMessage[],
  user: SessionUser,
): ThreadEntry[] {
  const stored = sent.map<ThreadEntry>((message) => ({
    key: message.id,
    text: message.message,
    mine: message.user.id === user.id,
    author: message.user.first_name,
    at: message.createdAt,
    state: 'sent',
    failure: null,
    answer: (message as Reply).answer,
  }));
  const waiting = unsent.map<ThreadEntry>(({ key, text, writtenAt, failure }) => ({
    key,
    text,
    mine: true,
    author: user.first_name,
    at: writtenAt,
    state: failure ? 'failed' : 'sending',
    failure,
  }));
  return [...stored, ...waiting];
}

/** Returns a function that sends a message. The first message of a thread has its own endpoint. */
function usePost(bookingId: string, userId: string, firstId: string | undefined) {
  const [sendMessage] = useSendMessageMutation();
  const [sendReply] = useSendReplyMutation();
  const { refetch } = useFirstMessageQuery(bookingId);
  const openedBy = useRef<string | undefined>(undefined);
  openedBy.current ??= firstId;
  // Keys of messages sent as the first of the thread. A retry must repeat that request: its response may have been lost.
  const openers = useRef(new Set<string>());

  return async ({ key, text }: UnsentMessage): Promise<SendResult> => {
    const content = { message: text, userId, idempotencyKey: key };
    if (openers.current.has(key) || !openedBy.current) {
      openers.current.add(key);
      const answer: SendResult = await sendMessage({ bookingId, ...content });
      openedBy.current ??= answer.data?.id;
      if (errorCode(answer.error) !== 'THREAD_ALREADY_OPEN') return answer;
      // The other party sent the first message meanwhile, so send this one as a reply.
      openers.current.delete(key);
      openedBy.current = (await refetch()).data?.id;
    }
    return openedBy.current ? sendReply({ messageId: openedBy.current, ...content }) : {};
  };
}

const interruptedText = 'The page was closed before this was sent.';

/** One storage key per message, so that two tabs don't overwrite each other's messages. */
function namesOf(userId: string, bookingId: string) {
  return `unsent:${userId}:${bookingId}:`;
}

/** Shows unsent messages at once, sends them one after the other, and stores them until they are sent or discarded. */
function useUnsentMessages(
  bookingId: string,
  userId: string,
  post: (entry: UnsentMessage) => Promise<SendResult>,
) {
  const { unsent, delivered } = useSelector(selectUnsentMessages);
  const messages: UnsentMessages = {
    unsent: unsent.filter((one) => one.bookingId === bookingId),
    delivered: delivered.filter((one) => one.bookingId === bookingId),
  };
  const dispatch = useDispatch();
  const line = useRef<Promise<void>>(Promise.resolve());
  const names = namesOf(userId, bookingId);

  useEffect(() => {
    const kept = readAllKept<Omit<UnsentMessage, 'failure'>>(names)
      .map((one) => ({ ...one, failure: interruptedText }))
      .sort((a, b) => a.writtenAt.localeCompare(b.writtenAt));
    dispatch(messagesFound(kept));
  }, [names, dispatch]);

  const deliver = (entry: UnsentMessage) => {
    const { failure: _, ...written } = entry;
    const { key } = written;
    keep(names + key, written);
    line.current = line.current.then(async () => {
      const { data, error } = await post(entry);
      if (data) keep(names + key, null);
      dispatch(
        data
          ? messageDelivered({ key, message: data })
          : messageTried({ key, failure: errorMessage(error) }),
      );
    });
  };
  const discard = (key: string) => {
    keep(names + key, null);
    dispatch(messageDiscarded(key));
  };
  const send = (text: string, after: number) => {
    const writtenAt = new Date().toISOString();
    const entry: UnsentMessage = {
      key: randomId(),
      bookingId,
      text,
      writtenAt,
      after,
      failure: null,
    };
    dispatch(messageWritten(entry));
    deliver(entry);
  };
  const retry = (key: string) => {
    const entry = messages.unsent.find((one) => one.key === key);
    if (!entry) return;
    dispatch(messageTried({ key, failure: null }));
    deliver(entry);
  };
  return { messages, send, retry, discard };
}

export function useThreadCalls(bookingId: string) {
  const first = useFirstMessageQuery(bookingId);
  const messageId = first.data?.id;
  const replies = useRepliesQuery(messageId ?? '', { skip: !messageId });
  return { first, replies, isLoading: first.isLoading || replies.isLoading };
}

export function useThread(bookingId: string, user: SessionUser) {
  const { first, replies, isLoading } = useThreadCalls(bookingId);
  const sent = first.data ? [first.data, ...(replies.currentData?.rows ?? [])] : [];
  const post = usePost(bookingId, user.id, first.data?.id);
  const { messages, send, retry, discard } = useUnsentMessages(bookingId, user.id, post);
  const unsent = withoutPushed(messages, sent, user.id);
  const arrived = messages.unsent.find((one) => one.failure && !unsent.includes(one))?.key;
  // Discard a failed message that is already in the thread: only the response to its request was lost.
  useEffect(() => {
    if (arrived) discard(arrived);
  });
  return {
    entries: toEntries(merge(sent, messages.delivered), unsent, user),
    isOpen: Boolean(first.data),
    isLoading,
    error: first.error ?? replies.error,
    reload: () => void (first.error ? first.refetch() : replies.refetch()),
    send: (text: string) => send(text, Math.max(-1, ...sent.map(({ place }) => place))),
    retry,
    discard,
  };
}
