import type { Notice } from '@lendtools/contracts';
import { Button, Group, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBell,
  IconCalendarCheck,
  IconCalendarQuestion,
  IconCalendarTime,
  IconCalendarX,
  IconCash,
  IconCircleCheck,
  IconClock,
  IconFlag,
  IconGavel,
  IconMessageCircle,
  type IconProps,
  IconStar,
  IconTools,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { formatMoment } from '../../rental/format-instant.ts';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { noticeAddress } from './booking-on-screen.ts';
import classes from './notice-bell.module.css';
import {
  useNoticesInfiniteQuery,
  useReadAllNoticesMutation,
  useReadNoticeMutation,
} from './notices-api.ts';

const icons: Record<Notice['kind'], ComponentType<IconProps>> = {
  'tool-booked': IconTools,
  'booking-requested': IconCalendarQuestion,
  'request-ended': IconCalendarX,
  'booking-confirmed': IconCalendarCheck,
  'booking-returned': IconArrowBackUp,
  'booking-completed': IconCircleCheck,
  'booking-problem': IconAlertTriangle,
  'problem-to-settle': IconAlertTriangle,
  'booking-cancelled': IconCalendarX,
  'booking-changed': IconCalendarTime,
  'booking-refunded': IconCash,
  'payment-changed': IconAlertTriangle,
  dispute: IconGavel,
  payouts: IconCash,
  'payout-reminder': IconClock,
  earnings: IconCash,
  debt: IconCash,
  reminder: IconClock,
  message: IconMessageCircle,
  question: IconMessageCircle,
  review: IconStar,
  moderation: IconFlag,
};

interface NoticeItemProps {
  notice: Notice;
  onRead: () => void;
  onFollow: () => void;
}

function NoticeItem({ notice, onRead, onFollow }: NoticeItemProps) {
  const { kind, message, bookingId, readAt, createdAt } = notice;
  // Use a default icon for a kind of notice that is newer than this tab's code.
  const Icon = icons[kind] ?? IconBell;
  const content = (
    <>
      <Icon size={20} stroke={1.7} aria-hidden className={classes.icon} />
      <span className={classes.words}>
        {message}
        <Text component="span" size="sm" c="dimmed" display="block">
          {formatMoment(createdAt)}
          {!readAt && <span className={classes.hidden}>, unread</span>}
        </Text>
      </span>
      {!readAt && <span className={classes.dot} aria-hidden />}
    </>
  );
  const shared = { className: classes.item, 'data-unread': !readAt || undefined };
  const address = noticeAddress({ kind, bookingId });
  if (!address) {
    return (
      <UnstyledButton {...shared} onClick={onRead}>
        {content}
      </UnstyledButton>
    );
  }
  return (
    <Link
      {...shared}
      to={address}
      onClick={() => {
        onRead();
        onFollow();
      }}
    >
      {content}
    </Link>
  );
}

interface NoticeListProps {
  userId: string;
  /** The level of the heading; 1 if the list is the whole page. */
  order: 1 | 2;
  onFollow?: () => void;
}

export function NoticeList({ userId, order, onFollow = () => {} }: NoticeListProps) {
  const pages = useNoticesInfiniteQuery(userId);
  const [readNotice] = useReadNoticeMutation();
  const [readAll] = useReadAllNoticesMutation();
  const notices = pages.data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const unread = pages.data?.pages[0]?.unread ?? 0;
  return (
    <div>
      <Group justify="space-between" className={classes.head}>
        <Title order={order} fz="lg">
          Notifications
        </Title>
        {unread > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => void readAll({ userId })}>
            Mark all read
          </Button>
        )}
      </Group>
      <div className={classes.list}>
        {pages.isLoading && (
          <Stack p="sm" gap="xs" aria-hidden>
            <Skeleton h={56} />
            <Skeleton h={56} />
            <Skeleton h={56} />
          </Stack>
        )}
        {pages.error && !pages.data && (
          <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
        )}
        {pages.data && notices.length === 0 && (
          <EmptyState icon={IconBell} title="Nothing new">
            Bookings, messages and reviews show up here the moment they happen.
          </EmptyState>
        )}
        {notices.map((notice) => (
          <NoticeItem
            key={notice.id}
            notice={notice}
            onRead={() => !notice.readAt && void readNotice({ userId, id: notice.id })}
            onFollow={onFollow}
          />
        ))}
        {pages.hasNextPage && (
          <Button
            variant="subtle"
            fullWidth
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}
