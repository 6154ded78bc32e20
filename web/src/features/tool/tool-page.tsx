import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Badge, Button, Group, Skeleton, Space, Stack, Text, Title } from '@mantine/core';
import { IconMapPin, IconStack2, IconTool } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { BackLink } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { Part } from '../../ui/part.tsx';
import { Price } from '../../ui/price.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { BookingCard } from './booking-card.tsx';
import { Gallery } from './gallery.tsx';
import { GoodToKnow } from './good-to-know.tsx';
import { Owner } from './owner.tsx';
import { Reviews } from './reviews.tsx';
import classes from './tool-page.module.css';

const SimilarTools = lazy(async () => ({
  default: (await import('./similar-tools.tsx')).SimilarTools,
}));
const SaveButton = lazy(() => import('../../ui/tool/save-button.tsx'));
const CurrentStatus = lazy(() => import('./current-status.tsx'));
const HiddenTool = lazy(() => import('../../ui/tool/hidden-tool.tsx'));
const ReportButton = lazy(() => import('../../ui/report/report-button.tsx'));

function Facts({ tool }: { tool: Tool }) {
  const isMember = Boolean(useUser());
  return (
    <header>
      <Group gap="xs" mb="xs">
        <Part waiting={<StatusBadge status={tool.item_status} />}>
          <CurrentStatus tool={tool} />
        </Part>
        <Badge variant="default" size="lg" tt="none" fw={550}>
          {tool.category.name}
        </Badge>
      </Group>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={1}>{tool.name}</Title>
        {isMember && (
          <Suspense fallback={<Space w={92} />}>
            <SaveButton tool={tool} withLabel />
          </Suspense>
        )}
      </Group>
      <Group gap="md" mt="xs">
        <Price
          amount={tool.price}
          circle={tool.rental_circle}
          fz="1.25rem"
          className={classes.price}
        />
        <RatingStars value={tool.rating} count={tool.reviewCount} />
        <Group gap={6} c="dimmed">
          <IconMapPin size={18} aria-hidden />
          {tool.user.city}, {tool.user.state}
        </Group>
        {tool.quantity > 1 && (
          <Group gap={6} c="dimmed">
            <IconStack2 size={18} aria-hidden />
            {tool.quantity} available
          </Group>
        )}
      </Group>
    </header>
  );
}

function Waiting() {
  return (
    <div className={classes.columns} aria-busy>
      <Stack gap="md">
        <Text role="status" c="dimmed">
          loading data
        </Text>
        <Skeleton h={36} w="70%" />
        <Skeleton h={20} w="40%" />
        <div className={classes.pictures}>
          <Skeleton className={classes.pictureSkeleton} radius={20} />
        </div>
        <Skeleton h={96} />
      </Stack>
      <Skeleton h={420} radius={20} visibleFrom="md" />
    </div>
  );
}

function ToolGone({ listPath }: { listPath: string }) {
  return (
    <EmptyState
      icon={IconTool}
      order={1}
      title="This tool is no longer here"
      action={
        <Button component={Link} to={listPath} mt="xs">
          Browse tools
        </Button>
      }
    >
      Its owner has taken it down, or the link is incomplete.
    </EmptyState>
  );
}

export default function ToolPage() {
  const [params] = useSearchParams();
  const id = params.get('id') ?? '';
  const { data: tool, error, isLoading, refetch } = useToolQuery(id, { skip: !id });
  const userId = useUser()?.id;
  const listPath = userId ? paths.dashboard : paths.browse;
  // The API returns 400 for a malformed id and 404 for an unknown one; both are shown as not found.
  const status = error && 'status' in error ? error.status : undefined;
  const missing = !id || status === 400 || status === 404;
  return (
    <div className={`page-width ${classes.page}`}>
      <title>{tool ? `${tool.name} · LendTools` : 'LendTools'}</title>
      <BackLink to={listPath} mb="sm">
        All tools
      </BackLink>
      {isLoading && <Waiting />}
      {missing && !tool && <ToolGone listPath={listPath} />}
      {error && !missing && !tool && <ErrorState error={error} onRetry={() => void refetch()} />}
      {tool && (
        <div className={classes.columns}>
          <Stack gap="xl" className={classes.story}>
            {tool.hiddenReason !== undefined && (
              <Part>
                <HiddenTool reason={tool.hiddenReason} />
              </Part>
            )}
            <Facts tool={tool} />
            <div className={classes.pictures}>
              <Gallery tool={tool} />
            </div>
            <Text className={classes.prose}>{tool.description}</Text>
            <Owner tool={tool} />
            {tool.item_status === 'Unavailable' && (
              <Part>
                <SimilarTools tool={tool} />
              </Part>
            )}
            <GoodToKnow tool={tool} />
            <Reviews tool={tool} />
            {tool.userId !== userId && (
              <Part waiting={<Space h={36} />}>
                <ReportButton about="tool" id={tool.id} what="this tool" />
              </Part>
            )}
          </Stack>
          <BookingCard key={tool.id} tool={tool} />
        </div>
      )}
    </div>
  );
}
