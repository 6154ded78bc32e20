import type { Thread as Conversation } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { formatMoment } from '../../rental/format-instant.ts';
import { Face } from '../../ui/face.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import classes from './conversation.module.css';
import { useConversationsInfiniteQuery } from './conversation-api.ts';

function addressOf({ id, bookingId, as }: Conversation) {
  if (!bookingId) return paths.ofId(paths.conversation, id);
  return `${paths.ofId(as === 'owner' ? paths.myBooking : paths.rental, bookingId)}#messages`;
}

function Row({ conversation, userId }: { conversation: Conversation; userId: string }) {
  const { other, toolName, bookingId, last } = conversation;
  return (
    <li>
      <Link to={addressOf(conversation)} className={classes.row}>
        <Face name={`${other.first_name} ${other.last_name}`} image="null" size={44} />
        <span className={classes.rowWords}>
          <Group component="span" gap="xs" justify="space-between" wrap="nowrap">
            <Text component="span" fw={650} truncate>
              {other.first_name} · {toolName}
            </Text>
            {!bookingId && (
              <Badge component="span" variant="default" tt="none" fw={550} flex="none">
                Question
              </Badge>
            )}
          </Group>
          {last && (
            <>
              <Text component="span" display="block" truncate>
                {last.fromUserId === userId && 'You: '}
                {last.text}
              </Text>
              <Text component="span" display="block" size="sm" c="dimmed">
                <time dateTime={last.at}>{formatMoment(last.at)}</time>
              </Text>
            </>
          )}
        </span>
      </Link>
    </li>
  );
}

function Waiting() {
  return (
    <Stack p="md" aria-hidden>
      {['a', 'b', 'c'].map((key) => (
        <Skeleton key={key} h={64} />
      ))}
    </Stack>
  );
}

export default function MessagesPage() {
  const userId = useUser()?.id ?? '';
  const list = useConversationsInfiniteQuery(userId, { skip: !userId });
  const conversations = list.data?.pages.flatMap(({ threads }) => threads) ?? [];
  return (
    <>
      <PageHeader title="Messages" />
      {list.error && !list.data && (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && conversations.length === 0 && (
        <EmptyState icon={IconMessageCircle} title="No messages yet">
          Questions about tools and the messages of your bookings show up here.
        </EmptyState>
      )}
      {(list.isLoading || conversations.length > 0) && (
        <div className={classes.list}>
          {list.isLoading && <Waiting />}
          <ul>
            {conversations.map((conversation) => (
              <Row key={conversation.id} conversation={conversation} userId={userId} />
            ))}
          </ul>
          {list.isFetchNextPageError && (
            <ErrorState error={list.error} onRetry={() => void list.fetchNextPage()} />
          )}
          {list.hasNextPage && !list.isFetchNextPageError && (
            <Button
              variant="subtle"
              fullWidth
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  );
}
