import type { Offer } from '@lendtools/contracts';
import { longestMessage } from '@lendtools/contracts/message-limits';
import * as paths from '@lendtools/contracts/pages';
import {
  ActionIcon,
  Button,
  Group,
  Skeleton,
  Text,
  Textarea,
  Title,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconMessageCircle, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, lazy, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '../../api/session-slice.ts';
import { messageDraft, useDraft } from '../../lib/use-draft.ts';
import { useHashTarget } from '../../lib/use-hash-target.ts';
import { writeDraft } from '../../rental/booking-draft.ts';
import { formatDayAndTime } from '../../rental/format.ts';
import { formatMoment } from '../../rental/format-instant.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import type { ThreadHint } from './booking-words.ts';
import { useConversationQuery } from './conversation-api.ts';
import classes from './thread.module.css';
import { type ThreadEntry, useThread } from './use-thread.ts';

const ReportButton = lazy(() => import('../../ui/report/report-button.tsx'));
const BlockButton = lazy(() => import('../../ui/block-button.tsx'));
const ClosedThread = lazy(() => import('./closed-thread.tsx'));

interface BubbleProps {
  entry: ThreadEntry;
  /** Whether the previous message is by another user. Only then is the author's name shown. */
  opensTurn: boolean;
  /** Not set once the thread is closed. */
  onRetry: ((key: string) => void) | undefined;
  onDiscard: (key: string) => void;
  toolId?: string | null | undefined;
  mayReport: boolean;
}

/** The dates of an offer. Only its reader can book them; the calendar then decides. */
function OfferedDates({ offer, toolId }: { offer: Offer; toolId: string | null }) {
  const { start_date, start_time, end_date, end_time, quantity } = offer;
  const many = quantity > 1 ? ` · ${quantity} of them` : '';
  return (
    <div className={classes.offer}>
      <span>
        {formatDayAndTime(start_date, start_time)} – {formatDayAndTime(end_date, end_time)}
        {many}
      </span>
      {toolId && (
        <Button
          component={Link}
          to={`${paths.memberTool}?${writeDraft(toolId, offer)}`}
          size="sm"
          variant="light"
        >
          Book these dates
        </Button>
      )}
    </div>
  );
}

function Bubble({ entry, opensTurn, onRetry, onDiscard, toolId, mayReport }: BubbleProps) {
  const { key, text, mine, author, at, state, failure, answer } = entry;
  return (
    <li
      className={classes.entry}
      data-mine={mine || undefined}
      data-turn={opensTurn || undefined}
      data-state={state}
    >
      <div className={classes.bubble}>
        <VisuallyHidden>{mine ? 'You: ' : `${author}: `}</VisuallyHidden>
        {answer?.kind === 'decline' && <strong className={classes.answer}>Declined</strong>}
        {answer?.kind === 'offer' && <strong className={classes.answer}>Dates offered</strong>}
        {text}
      </div>
      {answer?.offer && (
        <OfferedDates offer={answer.offer} toolId={mine ? null : (toolId ?? null)} />
      )}
      {state === 'failed' ? (
        <span className={classes.meta} data-failed role="alert">
          Not sent. {failure}{' '}
          {onRetry && (
            <>
              <UnstyledButton className={classes.retry} onClick={() => onRetry(key)}>
                Try again
              </UnstyledButton>{' '}
            </>
          )}
          <UnstyledButton className={classes.retry} onClick={() => onDiscard(key)}>
            Discard
          </UnstyledButton>
        </span>
      ) : (
        <span className={classes.meta}>
          {!mine && opensTurn && <span aria-hidden>{author} · </span>}
          {state === 'sending' ? 'Sending…' : <time dateTime={at}>{formatMoment(at)}</time>}
          {!mine && mayReport && (
            <Part>
              <ReportButton about="message" id={key} what="this message" isSmall />
            </Part>
          )}
        </span>
      )}
    </li>
  );
}

/** Announces new messages to screen readers: the other party's on arrival, the user's own once they are sent. */
function Announcer({ entries }: { entries: ThreadEntry[] }) {
  const count = useRef<number | null>(null);
  const sending = useRef<ThreadEntry[]>([]);
  const [words, setWords] = useState('');
  useEffect(() => {
    const last = entries.at(-1);
    const grew = count.current !== null && entries.length > count.current;
    const gone = sending.current.filter(({ key }) => entries.every((one) => one.key !== key));
    if (gone.length > 0) setWords(`Sent: ${gone.map(({ text }) => text).join(' ')}`);
    else if (grew && last && !last.mine) setWords(`${last.author}: ${last.text}`);
    count.current = entries.length;
    sending.current = entries.filter(({ state }) => state === 'sending');
  }, [entries]);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}

interface ComposerProps {
  name: string;
  label: string;
  onSend: (text: string) => void;
}

function Composer({ name, label, onSend }: ComposerProps) {
  const [text, setText] = useDraft(name, '');
  const submit = () => {
    const words = text.trim();
    if (!words) return;
    onSend(words);
    setText('');
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    // While an input method is composing, Enter selects a word and must not send the message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Textarea
        className={classes.field}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={sendOnEnter}
        maxLength={longestMessage}
        autosize
        minRows={1}
        maxRows={6}
        enterKeyHint="send"
      />
      <ActionIcon type="submit" size={42} radius="md" aria-label="Send" disabled={!text.trim()}>
        <IconSend2 size={20} aria-hidden />
      </ActionIcon>
    </form>
  );
}

interface ThreadProps {
  bookingId: string;
  user: SessionUser;
  other: string;
  /** The user whom the reader can report and block. Not set if the reader is an admin. */
  otherId?: string;
  firstLabel: string;
  /** Set for an admin, who can join a conversation but not start one. */
  repliesOnly?: boolean;
  hint: ThreadHint;
  /** Set while the thread is a question about a tool: the renter can book offered dates. */
  toolId?: string | null;
}

function NobodyWrote({ other, repliesOnly, hint, isClosed }: ThreadProps & { isClosed: boolean }) {
  if (repliesOnly || isClosed) return 'Nobody has written yet.';
  const words: Record<ThreadHint, string> = {
    booked: `No messages yet. Arrange with ${other} when and where to meet.`,
    requested: `No messages yet. You and ${other} can write before the request is answered.`,
    cancelled: `No messages. The booking is cancelled, but you can still write to ${other}.`,
    question: 'No messages yet.',
    ended: `No messages. The request has ended, but you can still write to ${other}.`,
  };
  return words[hint];
}

/**
 * Whether the reader can no longer write, and whether contact details are masked. Admins can always write. Until messaging
 * has consumed the event, the API does not find the thread; treat it as open.
 */
function useRules({ bookingId, user, repliesOnly = false, hint }: ThreadProps) {
  const known = { userId: user.id, threadId: bookingId };
  const { data } = useConversationQuery(known, { skip: repliesOnly });
  const { isClosed = false, isMasked = hint === 'question' || hint === 'requested' } = data ?? {};
  return { isClosed, isMasked };
}

function useStickToEnd(count: number) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new entry scrolls the view.
  useEffect(() => {
    box.current?.scrollTo?.({ top: box.current.scrollHeight });
  }, [count]);
  return box;
}

export function Thread(props: ThreadProps) {
  const { bookingId, user, other, otherId, firstLabel, repliesOnly, hint, toolId } = props;
  const thread = useThread(bookingId, user);
  const { entries } = thread;
  const { isClosed, isMasked } = useRules(props);
  const box = useStickToEnd(entries.length);
  const card = useHashTarget<HTMLElement>('messages');
  return (
    <section ref={card} id="messages" className={classes.card} aria-labelledby="thread-title">
      <Group gap="xs" className={classes.head}>
        <IconMessageCircle size={20} stroke={1.7} aria-hidden />
        <Title order={2} fz="h3" id="thread-title">
          Messages with {other}
        </Title>
        {otherId && (
          <Group ml="auto" gap={4}>
            <Part>
              <BlockButton userId={user.id} id={otherId} name={other} isSmall />
              <ReportButton about="person" id={otherId} what={other} isSmall />
            </Part>
          </Group>
        )}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section ref={box} className={classes.scroll} tabIndex={0} aria-label="Messages">
        {thread.isLoading && <ThreadSkeleton />}
        {Boolean(thread.error) && <ErrorState error={thread.error} onRetry={thread.reload} />}
        {!thread.isLoading && !thread.error && entries.length === 0 && (
          <Text c="dimmed" ta="center" m="auto">
            <NobodyWrote {...props} isClosed={isClosed} />
          </Text>
        )}
        <ol className={classes.list}>
          {entries.map((entry, index) => (
            <Bubble
              key={entry.key}
              entry={entry}
              opensTurn={
                entries[index - 1]?.mine !== entry.mine ||
                entries[index - 1]?.author !== entry.author
              }
              onRetry={isClosed ? undefined : thread.retry}
              onDiscard={thread.discard}
              toolId={toolId}
              mayReport={!repliesOnly}
            />
          ))}
        </ol>
      </section>
      {isMasked && !isClosed && (
        <Text size="sm" c="dimmed" className={classes.masked}>
          Emails, phone numbers and links stay hidden until the booking is paid.
        </Text>
      )}
      {!thread.isLoading && <Announcer entries={entries} />}
      {isClosed && otherId && (
        <Part>
          <ClosedThread
            userId={user.id}
            otherId={otherId}
            other={other}
            isQuestion={hint === 'question'}
          />
        </Part>
      )}
      {!isClosed && (thread.isOpen || !repliesOnly) && (
        <Composer
          key={bookingId}
          name={messageDraft(user.id, bookingId)}
          label={entries.length > 0 ? `Reply to ${other}` : firstLabel}
          onSend={thread.send}
        />
      )}
    </section>
  );
}

function ThreadSkeleton() {
  return (
    <div className={classes.list} aria-hidden>
      <Skeleton h={38} w="55%" radius={18} />
      <Skeleton h={38} w="40%" radius={18} style={{ alignSelf: 'flex-end' }} />
      <Skeleton h={38} w="62%" radius={18} />
    </div>
  );
}
