import type { Tool } from '@lendtools/contracts';
import { Anchor, Avatar, Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconMapPin, IconStack2 } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import { errorCode } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { ErrorState } from '../../ui/page-states.tsx';
import { Price } from '../../ui/price.tsx';
import { RatingStars } from '../../ui/rating-stars.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { BookingCard } from './booking-card.tsx';
import { Gallery } from './gallery.tsx';
import { Reviews } from './reviews.tsx';
import classes from './tool-page.module.css';

function Facts({ tool }: { tool: Tool }) {
  return (
    <header>
      <Group gap="xs" mb="xs">
        <StatusBadge status={tool.item_status} />
        <Badge variant="default" size="lg" tt="none" fw={550}>
          {tool.category.name}
        </Badge>
      </Group>
      <Title order={1}>{tool.name}</Title>
      <Group gap="md" mt="xs">
        <Price amount={tool.price} circle={tool.rental_circle} fz="1.25rem" />
        <RatingStars value={tool.rating} count={tool.reviewCount} />
      </Group>
      <Group gap="lg" mt="xs" c="dimmed">
        <Group gap={6}>
          <IconMapPin size={18} aria-hidden />
          {tool.user.city}, {tool.user.state}
        </Group>
        {tool.quantity > 1 && (
          <Group gap={6}>
            <IconStack2 size={18} aria-hidden />
            {tool.quantity} of them
          </Group>
        )}
      </Group>
    </header>
  );
}

function Owner({ tool }: { tool: Tool }) {
  const { first_name, last_name, city } = tool.user;
  return (
    <Group gap="md" wrap="nowrap" className={classes.owner}>
      <Avatar size={52} name={`${first_name} ${last_name}`} color="orange" alt="" />
      <div>
        <Text fw={650}>Lent by {first_name}</Text>
        <Text c="dimmed" size="sm">
          in {city}. You get the address once it is booked.
        </Text>
      </div>
    </Group>
  );
}

function Waiting() {
  return (
    <div className={classes.columns} aria-busy>
      <Stack gap="md">
        <Text role="status" c="dimmed">
          loading data
        </Text>
        <Skeleton className={classes.pictureSkeleton} radius={20} />
        <Skeleton h={36} w="70%" />
        <Skeleton h={20} w="40%" />
        <Skeleton h={96} />
      </Stack>
      <Skeleton h={420} radius={20} visibleFrom="md" />
    </div>
  );
}

/** One tool, at /rental-details?id=… for visitors and under /user for members. */
export function Component() {
  const [params] = useSearchParams();
  const id = params.get('id') ?? '';
  const { data: tool, error, isLoading, refetch } = useToolQuery(id, { skip: !id });
  const listPath = useUser() ? '/user/user-dashboard' : '/home';
  const missing = !id || errorCode(error) === 'TOOL_NOT_FOUND';
  return (
    <div className={classes.page}>
      <title>{tool ? `${tool.name} · LendTools` : 'LendTools'}</title>
      <Anchor component={Link} to={listPath} size="sm" className={classes.back}>
        <IconArrowLeft size={16} aria-hidden /> All tools
      </Anchor>
      {isLoading && <Waiting />}
      {(error || !id) && !tool && (
        <ErrorState
          error={missing ? { data: { message: 'This tool is no longer here' } } : error}
          onRetry={missing ? undefined : () => void refetch()}
        />
      )}
      {tool && (
        <div className={classes.columns}>
          <Stack gap="xl" className={classes.story}>
            <Gallery tool={tool} />
            <Facts tool={tool} />
            <Text className={classes.prose}>{tool.description}</Text>
            <Owner tool={tool} />
            <Reviews toolId={tool.id} />
          </Stack>
          <BookingCard key={tool.id} tool={tool} />
        </div>
      )}
    </div>
  );
}
