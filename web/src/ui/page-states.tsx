import { Button, Stack, Text, Title } from '@mantine/core';
import { IconCloudOff, type IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { errorMessage, problemOf } from '../api/error-message.ts';
import classes from './page-states.module.css';

interface StateProps {
  icon: ComponentType<IconProps>;
  title: string;
  /** Level of the heading; 1 if it is the page's only content. */
  order?: 1 | 2;
  children?: ReactNode;
  action?: ReactNode;
  role?: 'alert' | 'status';
}

export function EmptyState({ icon: Icon, title, order = 2, children, action, role }: StateProps) {
  return (
    <Stack align="center" gap="sm" className={classes.state} role={role}>
      <span className={classes.disc}>
        <Icon size={34} stroke={1.6} aria-hidden />
      </span>
      <Title order={order} fz="h3" ta="center">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center" maw={440}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { requestId } = problemOf(error);
  return (
    <EmptyState
      icon={IconCloudOff}
      role="alert"
      title={errorMessage(error)}
      action={
        onRetry && (
          <Button variant="light" onClick={onRetry} mt="xs">
            Try again
          </Button>
        )
      }
    >
      {requestId && `Request ${requestId}`}
    </EmptyState>
  );
}
