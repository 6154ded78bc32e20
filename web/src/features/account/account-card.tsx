import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './account-card.module.css';

interface AccountCardProps {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
}

export function AccountCard({ title, intro, children, footer, wide = false }: AccountCardProps) {
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <title>{`${title} · LendTools`}</title>
      <div className={classes.card}>
        <Title order={1} fz="1.875rem">
          {title}
        </Title>
        {intro && (
          <Text c="dimmed" mt={4}>
            {intro}
          </Text>
        )}
        <div className={classes.body}>{children}</div>
      </div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </div>
  );
}
