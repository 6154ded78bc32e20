import * as paths from '@lendtools/contracts/pages';
import { Button, Center, Skeleton } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useUser } from '../../api/session-slice.ts';
import { CalendarFeed } from '../../ui/calendar-feed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { useMyToolsInfiniteQuery } from './my-tools-api.ts';
import { ToolsCalendar } from './tools-calendar.tsx';

const back = { to: paths.myTools, label: 'My tools' };
const intro = 'Who has your tools when, and on which days you keep them.';

export default function MyCalendarPage() {
  const userId = useUser()?.id ?? '';
  const found = useMyToolsInfiniteQuery(userId);
  const tools = found.data?.pages.flatMap(({ rentals }) => rentals) ?? [];
  if (found.error && tools.length === 0)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <>
      <PageHeader title="Calendar" back={back} intro={intro} />
      {!found.data && <Skeleton h={420} aria-hidden />}
      {found.data && tools.length === 0 && (
        <EmptyState icon={IconCalendar} title="You have not listed a tool yet">
          Once you have, its bookings are here.
        </EmptyState>
      )}
      {tools.length > 0 && (
        <>
          <ToolsCalendar tools={tools} userId={userId} />
          {found.hasNextPage && (
            <Center mt="md">
              <Button variant="default" onClick={() => void found.fetchNextPage()}>
                Show more tools
              </Button>
            </Center>
          )}
          <CalendarFeed userId={userId} />
        </>
      )}
    </>
  );
}
